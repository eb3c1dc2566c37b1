import HTTPClient
import Testing

struct HTTPURLTests {
    @Test(arguments: [
        ("https://Example.ORG", "https://example.org/"), ("HTTP://a:80/b", "http://a/b"),
        ("https://a:8443/x/../y/./z?q=1#f", "https://a:8443/y/z?q=1"), ("https://[::1]:5/", "https://[::1]:5/"),
        ("https://a/żółw i kot", "https://a/%C5%BC%C3%B3%C5%82w%20i%20kot"),
        ("https://a/50%/%2f", "https://a/50%25/%2f"),
        ("https://a/..", "https://a/"), ("https://a?q=a b", "https://a/?q=a%20b"), ("https://a:/", "https://a/"),
    ])
    func `an address has one normal form`(text: String, form: String) throws {
        let url = try #require(HTTPURL(text))
        #expect(url.description == form)
        #expect(HTTPURL(url.description) == url)
    }

    /// With the separator before it a combining character is one `Character`, which must not hide the separator.
    @Test func `a combining character hides no separator`() throws {
        let url = try #require(HTTPURL("https://a/\u{35A}b/?\u{35A}q#\u{35A}f"))
        #expect((url.host, url.path, url.query) == ("a", "/%CD%9Ab/", "%CD%9Aq"))
        #expect(HTTPURL("https:\u{35A}//a/") == nil)
        #expect(HTTPURL("https://a:\u{35A}1/") == nil)
        let base = HTTPURL(host: "a", path: "/b/c")
        #expect(base.resolving("/\u{35A}d?\u{35A}")?.description == "https://a/%CD%9Ad?%CD%9A")
        #expect(base.resolving("//x/\u{35A}")?.description == "https://x/%CD%9A")
        #expect(base.resolving("d#\u{35A}")?.description == "https://a/b/d")
    }

    @Test(arguments: [
        "", "ftp://a/", "https:/a", "https://", "https://u:p@a/", "https://a:0/", "https://a:99999/", "https://a:x/",
        "https://a b/", "https://[::1/", "https://a\r\nHost: b/", "mailto:a@b.org", "/path", "https://a%41/",
    ])
    func `what is no web address is refused`(text: String) { #expect(HTTPURL(text) == nil) }

    @Test(arguments: [
        // The examples of RFC 3986 §5.4, and what servers send.
        ("g", "https://a/b/c/g"), ("./g", "https://a/b/c/g"), ("g/", "https://a/b/c/g/"), ("/g", "https://a/g"),
        ("//g", "https://g/"), ("?y", "https://a/b/c/d;p?y"), ("g?y", "https://a/b/c/g?y"),
        ("#s", "https://a/b/c/d;p?q"),
        ("", "https://a/b/c/d;p?q"), (".", "https://a/b/c/"), ("..", "https://a/b/"), ("../g", "https://a/b/g"),
        ("../..", "https://a/"), ("../../../g", "https://a/g"), ("/./g", "https://a/g"), ("g.", "https://a/b/c/g."),
        ("..g", "https://a/b/c/..g"), ("./../g", "https://a/b/g"), ("g;x=1/./y", "https://a/b/c/g;x=1/y"),
        ("http://h:81/x", "http://h:81/x"), ("/a@b.vcf", "https://a/a@b.vcf"), ("x:y", ""), ("/x:y", "https://a/x:y"),
    ])
    func `a reference is resolved`(reference: String, result: String) throws {
        let base = try #require(HTTPURL("https://a/b/c/d;p?q"))
        #expect(base.resolving(reference)?.description ?? "" == result)
    }

    @Test func `paths are compared by what they mean`() throws {
        func path(_ text: String) -> String { HTTPURL(host: "a", path: text).comparablePath }
        #expect(path("/a@b c.vcf") == path("/a%40b%20c.vcf"))
        #expect(path("/%7euser/%C3%A9") == path("/~user/é"))
        #expect(path("/a%2Fb") != path("/a/b"))
        #expect(path("/%c3%a9") == path("/%C3%A9"))
        // Composed and decomposed letters are different bytes, and so different names.
        #expect(path("/\u{E9}") != path("/e\u{301}"))
    }
}
