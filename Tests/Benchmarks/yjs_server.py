"""pycrdt-websocket with one room for all, served by uvicorn as its documentation says: yjs_server.py PORT"""

import asyncio
import resource
import sys

import uvicorn
from pycrdt.websocket import ASGIServer, WebsocketServer

resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)


async def main():
    rooms = WebsocketServer(auto_clean_rooms=False)
    settings = uvicorn.Config(ASGIServer(rooms), host="127.0.0.1", port=int(sys.argv[1]), log_level="error", ws="websockets-sansio",
                              ws_per_message_deflate=False, ws_ping_interval=None, lifespan="off")
    async with rooms:
        await uvicorn.Server(settings).serve()


asyncio.run(main())
