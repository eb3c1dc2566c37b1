import TestSupport
import Testing

@testable import WebDAV

/// No answer of a server costs more than its length.
struct ScalingTests {
    private static let ok = "<status>HTTP/1.1 200 OK</status>"

    private static func read(_ body: [UInt8]) {
        guard let answer = try? Multistatus(body) else { return }
        for item in answer.items {
            _ = (item.isGone, item.text(DAVName.d("getetag")), item.hrefs(DAVName.d("owner")))
            _ = item.hasType(DAVName.d("collection"))
        }
    }

    @Test(arguments: [
        "<response><href>/a#</href><propstat><prop><getetag>\"#\"</getetag></prop>\(ok)</propstat></response>",
        "<response><href>/a#</href><status>HTTP/1.1 404 Not Found</status></response>", "<response/>",
        "<response><href>/a</href><propstat><prop><x#/></prop><status>HTTP/1.1 404 Gone</status></propstat></response>",
        "<sync-token>#</sync-token>", "<x/>", " ", "text",
    ])
    func `an answer about many resources`(part: String) {
        Scaling.expectLinear(part, size: 333) { count in
            numbered(count, after: "<multistatus xmlns=\"DAV:\">", before: "</multistatus>") {
                part.replacing("#", with: String($0))
            }
        } _: {
            Self.read($0)
        }
    }

    @Test(arguments: [
        "<href>/a#</href>", "<propstat><prop><getetag>#</getetag></prop>\(ok)</propstat>",
        "<propstat><prop><x#/></prop>\(ok)</propstat>", "<propstat/>", "<status>HTTP/1.1 404 Gone</status>", "<x#/>",
    ])
    func `an answer of many parts about one resource`(part: String) {
        Scaling.expectLinear(part, size: 333) { count in
            numbered(
                count, after: "<multistatus xmlns=\"DAV:\"><response><href>/a</href>",
                before: "</response></multistatus>"
            ) { part.replacing("#", with: String($0)) }
        } _: {
            Self.read($0)
        }
    }

    @Test(arguments: [
        "<x#/>", "<getetag>#</getetag>", "<owner><href>/#</href></owner>",
        "<resourcetype><collection/></resourcetype>",
    ])
    func `a resource of many properties`(part: String) {
        Scaling.expectLinear(part, size: 333) { count in
            numbered(
                count, after: "<multistatus xmlns=\"DAV:\"><response><href>/a</href><propstat>\(Self.ok)<prop>",
                before: "</prop></propstat></response></multistatus>"
            ) { part.replacing("#", with: String($0)) }
        } _: {
            Self.read($0)
        }
    }

    @Test(arguments: ["a ", "\n", "1", "/../", "%41", "é"])
    func `a long href, status and token`(part: String) {
        Scaling.expectLinear(part, size: 1333) { count in
            let text = String(repeating: part, count: count)
            return Array(
                ("<multistatus xmlns=\"DAV:\"><response><href>\(text)</href><status>\(text)</status></response>"
                    + "<sync-token>\(text)</sync-token></multistatus>").utf8)
        } _: {
            Self.read($0)
        }
    }
}
