import TestSupport
import Testing

@testable import WebServer

struct RouterTests {
    private func router(_ routes: [(HTTPMethod, String)]) throws -> Router<String> {
        var router = Router<String>()
        for (method, pattern) in routes { try router.add(method, pattern, "\(method.rawValue) \(pattern)") }
        return router
    }

    private func answer(_ router: Router<String>, _ method: HTTPMethod, _ path: String) throws -> String {
        switch router.match(method, try #require(RequestTarget(path))) {
        case .found(let endpoint, let captures):
            return ([endpoint] + captures.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
                .joined(separator: " ")
        case .methodNotAllowed(let allowed): return "405 \(allowed)"
        case .notFound: return "404"
        }
    }

    @Test(arguments: [
        ("/", "GET /"), ("/contacts", "GET /contacts"), ("/contacts/7kt", "GET /contacts/{id} id=7kt"),
        ("/contacts/count", "GET /contacts/count"), ("/contacts/7kt/photo", "GET /contacts/{id}/photo id=7kt"),
        ("/contacts/a%2Fb", "GET /contacts/{id} id=a/b"), ("/contacts/", "404"), ("/contacts/a/b", "404"),
        ("/Contacts", "404"), ("//", "404"), ("/x/y", "GET /{a}/{b} a=x b=y"),
    ])
    func `a path finds its route`(path: String, found: String) throws {
        let patterns = [
            "/contacts/{id}", "/{a}/{b}", "/contacts/count", "/", "/contacts", "/contacts/{id}/photo",
        ]
        #expect(try answer(router(patterns.map { (.get, $0) }), .get, path) == found)
    }

    @Test func `the order of additions does not matter`() throws {
        let routes = ["/a/{b}/c", "/a/b/c", "/{a}/b/c", "/a/b/{c}", "/{a}/{b}/{c}", "/a", "/{a}"]
        let paths = ["/a/b/c", "/a/x/c", "/x/b/c", "/a/b/x", "/x/y/z", "/a", "/x", "/a/x/x"]
        let expected = try paths.map { try answer(router(routes.map { (.get, $0) }), .get, $0) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let shuffled = try router(routes.shuffled(using: &generator).map { (.get, $0) })
            #expect(try paths.map { try answer(shuffled, .get, $0) } == expected)
        }
    }

    @Test func `HEAD is answered by GET, and other methods hear what is allowed`() throws {
        let router = try router([
            (.get, "/a"), (.post, "/a"), (.delete, "/a/{id}"), (.put, "/a/{other}"), (.post, "/b"),
        ])
        #expect(try answer(router, .head, "/a") == "GET /a")
        #expect(try answer(router, .put, "/a") == "405 GET, HEAD, POST")
        #expect(try answer(router, .get, "/a/1") == "405 DELETE, PUT")
        #expect(try answer(router, .head, "/b") == "405 POST")
        #expect(try answer(router, .put, "/a/1") == "PUT /a/{other} other=1")
    }

    @Test func `the rest of a path is taken last, and may be empty`() throws {
        let router = try router([
            (.get, "/{path...}"), (.get, "/a/{path...}"), (.get, "/a/{id}"), (.post, "/{path...}"),
        ])
        #expect(try answer(router, .get, "/") == "GET /{path...} path=")
        #expect(try answer(router, .get, "/x/y/") == "GET /{path...} path=x/y/")
        #expect(try answer(router, .get, "/a/b/c") == "GET /a/{path...} path=b/c")
        #expect(try answer(router, .get, "/a/b") == "GET /a/{id} id=b")
        #expect(try answer(router, .delete, "/x") == "405 GET, HEAD, POST")
        #expect(RoutePattern("/{path...}/x") == nil)
    }

    @Test func `the same shape with the same method is refused`() throws {
        var router = try router([(.get, "/a/{id}")])
        #expect(throws: Router<String>.Problem.duplicate("/a/{id}")) { try router.add(.get, "/a/{name}", "") }
    }

    @Test(arguments: ["", "a", "/a//b", "/a/", "/{}", "/{a", "/a}", "/a{b}", "//"])
    func `a pattern that cannot be read is refused`(pattern: String) {
        var router = Router<String>()
        #expect(throws: Router<String>.Problem.malformed(pattern)) { try router.add(.get, pattern, "") }
    }
}
