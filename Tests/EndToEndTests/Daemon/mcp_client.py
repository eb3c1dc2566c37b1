"""Speaks with `hub mcp` as the official client of the Model Context Protocol does, in each of its modes.

Usage: mcp_client.py HUB [ARGUMENT…]. Prints one JSON object with what it has seen in each mode.
"""
import asyncio
import json
import os
import sys

from jsonschema import Draft202012Validator
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client


async def session(mode, program, arguments):
    parameters = StdioServerParameters(command=program, args=arguments, env=dict(os.environ))
    seen = {}
    async with Client(stdio_client(parameters), mode=mode) as client:
        seen["version"] = client.protocol_version
        tools = (await client.list_tools()).tools
        seen["tools"] = [tool.name for tool in tools]
        for tool in tools:
            Draft202012Validator.check_schema(tool.input_schema)
        seen["templates"] = [each.uri_template for each in (await client.list_resource_templates()).resource_templates]
        found = await client.call_tool("search", {"words": "shopping"})
        seen["found"] = found.structured_content["items"][0]["title"]
        ref = found.structured_content["items"][0]["ref"]
        shown = await client.call_tool("show", {"ref": ref})
        seen["text"] = shown.structured_content["content"]
        assert json.loads(shown.content[0].text) == shown.structured_content
        wrong = await client.call_tool("list", {"kind": "secrets"})
        seen["wrong"] = [wrong.is_error, wrong.structured_content["error"]["code"]]
        resource = await client.read_resource("hub:" + ref.replace(":", "/"))
        seen["resource"] = json.loads(resource.contents[0].text)["title"]
        if "note_append" in seen["tools"]:
            added = await client.call_tool("note_append", {"id": ref, "text": "- from " + mode})
            seen["added"] = added.structured_content["operation"]
            undone = await client.call_tool("undo", {"operation": seen["added"]})
            seen["undone"] = undone.structured_content["operation"] == seen["added"]
    return seen


async def main():
    return {mode: await session(mode, sys.argv[1], sys.argv[2:]) for mode in ("legacy", "auto", "2026-07-28")}


print(json.dumps(asyncio.run(main())))
