import NotesDomain
import TestSupport
import Testing
import Text
import TextCRDT

/// Frames, answers of servers, archives and logs cost no more than their length, whatever they hold.
struct ScalingTests {
    private static let id = "0123456789abcdef01234567"

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ",")
    }

    @Test func `frames of clients`() {
        func expect(_ name: String, _ frame: (Int) -> String) {
            Scaling.expectLinear(name, size: 2000, frame) { _ = try? ClientFrame($0) }
        }
        let edit = #"{"t":"edit","n":1,"note":"1ab","field":"content","seq":1,"base":["a",3],"edits":["#
        expect("edits") { count in edit + Self.list(count) { #"[\#($0),1,"é"]"# } + "]}" }
        expect("a long edit") { edit + #"[0,0,""# + String(repeating: "é", count: $0) + #""]]}"# }
        expect("a version of many agents") { count in
            #"{"t":"open","n":1,"note":"1ab","version":{"title":[],"content":["#
                + Self.list(count) { #""a\#($0)",\#($0)"# } + "]}}"
        }
        expect("tags") { count in
            #"{"t":"set","n":1,"note":"1ab","add":["# + Self.list(count) { #""t\#($0)""# } + "]}"
        }
    }

    @Test func `frames of servers`() {
        func expect(_ name: String, _ frame: (Int) -> String) {
            Scaling.expectLinear(name, size: 2000, frame) { _ = try? ServerFrame($0) }
        }
        expect("members and tags") { count in
            let names = Self.list(count) { #""m\#($0)""# }
            return #"{"t":"note","note":"1ab","owner":"o","access":[\#(names)],"tags":[\#(names)],"trash":false}"#
        }
        expect("edits") { count in
            #"{"t":"text","note":"1ab","field":"content","from":["a",1],"to":["a",2],"ack":0,"edits":["#
                + Self.list(count) { #"[\#($0),1,"x"]"# } + "]}"
        }
        expect("an unknown kind") { count in #"{"t":"later","x":["# + Self.list(count) { "\($0)" } + "]}" }
    }

    @Test func `the answers of NoteApp, and what its clients send`() {
        Scaling.expectLinear("a listing", size: 300) { count in
            Self.bytes(
                "["
                    + Self.list(count) {
                        #"{"_id":"\#(Self.id)","title":"\#($0)","content":"c","access":["a"],"owner":"a"}"#
                    } + "]")
        } _: {
            _ = NoteAppListing($0)
        }
        Scaling.expectLinear("members", size: 2000) { count in
            Self.bytes(
                #"{"title":"a","content":"b","owner":"c","access":["# + Self.list(count) { #""m\#($0)""# } + "]}")
        } _: {
            _ = try? NoteAppDraft($0, contentType: "application/json", .replace)
        }
        Scaling.expectLinear("escapes of a text", size: 5000) { count in
            Self.bytes(
                #"{"title":"a","owner":"c","access":[],"content":""# + String(repeating: #"\u00e9"#, count: count)
                    + "\"}")
        } _: {
            _ = try? NoteAppDraft($0, contentType: "application/json", .replace)
        }
    }

    @Test func `archives of many files, and of one with many links`() {
        Scaling.expectLinear("a tar of many files", size: 100) { count in
            (try? TarWriter.write((0..<count).map { PortableFile("\($0).md", Self.bytes("text \($0)")) })) ?? []
        } _: {
            _ = TarReader.read($0)
        }
        let item = { (number: Int) in
            let id = String(repeating: "0", count: 24) + String(10_000_000 + number)
            return PortableFile("\(id).md", Self.bytes("Note \(number)\n\n[a](:/\(id))\n\nid: \(id)\ntype_: 1"))
        }
        Scaling.expectLinear("an export of Joplin", size: 100) { count in
            [PortableFile("x.jex", (try? TarWriter.write((0..<count).map(item))) ?? [])]
        } _: {
            _ = NoteFormat.jex.read($0)
        }
        Scaling.expectLinear("hub's own JSON", size: 300) { count in
            [
                PortableFile(
                    "x.json",
                    Self.bytes(
                        #"{"format":"hub-notes","version":1,"notes":["#
                            + Self.list(count) { #"{"id":"\#($0)","title":"\#($0)","content":"c","tags":["x"]}"# }
                            + "]}"))
            ]
        } _: {
            _ = NoteFormat.json.read($0)
        }
    }

    @Test func `an invitation and a path of any length`() {
        Scaling.expectLinear("marks of an invitation", size: 20_000) {
            "http://" + String(repeating: "/#invitation=", count: $0)
        } _: {
            _ = Invitation($0)
        }
        Scaling.expectLinear("segments", size: 5000) {
            "/api/notes" + String(repeating: "/a%20", count: $0)
        } _: {
            _ = NoteAppRoute(method: "GET", target: $0)
        }
    }
}
