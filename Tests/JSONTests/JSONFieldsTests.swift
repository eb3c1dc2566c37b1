import JSON
import Testing

struct JSONFieldsTests {
    private func fields(_ text: String) throws -> JSONFields { try JSONFields(JSONReader.read(Array(text.utf8))) }

    private func reason(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? JSONFields.Problem)?.reason
        }
    }

    @Test func `members are read by name and type`() throws {
        let task = try fields(
            #"{"text":"Run","count":3,"whole":2.0,"ratio":1.5,"done":true,"days":[1,2],"on":{"mo":true},"none":null}"#)
        #expect(try task.required("text", String.self) == "Run")
        #expect(try task.required("count", Int.self) == 3)
        #expect(try task.required("whole", Int.self) == 2)
        #expect(try task.required("ratio", Double.self) == 1.5)
        #expect(try task.required("done", Bool.self))
        #expect(try task.required("days", [Int].self) == [1, 2])
        #expect(try task.required("on", [String: Bool].self) == ["mo": true])
        #expect(try task.optional("none", String.self) == nil)
        #expect(try task.optional("absent", String.self) == nil)
    }

    @Test func `a problem names its member`() throws {
        let task = try fields(#"{"text":1,"count":"3","part":1.5,"huge":1e400,"list":[1,"2"],"none":null}"#)
        #expect(reason { _ = try task.required("text", String.self) } == "text has the wrong type")
        #expect(reason { _ = try task.optional("count", Int.self) } == "count has the wrong type")
        #expect(reason { _ = try task.optional("part", Int.self) } == "part has the wrong type")
        #expect(reason { _ = try task.optional("huge", Double.self) } == "huge has the wrong type")
        #expect(reason { _ = try task.optional("list", [Int].self) } == "list has the wrong type")
        #expect(reason { _ = try task.required("none", String.self) } == "none is missing")
        #expect(reason { _ = try self.fields("[1]") } == "it has the wrong type")
    }

    @Test func `an element that cannot be read costs itself, not its list`() throws {
        let task = try fields(#"{"steps":[{"text":"a"},{"text":1},7,{"text":"b"}],"other":{}}"#)
        func texts(_ name: String) throws -> [String] {
            try task.readable(name) { step throws(JSONFields.Problem) -> String in try step.required("text") }
        }
        #expect(try texts("steps") == ["a", "b"])
        #expect(try texts("absent") == [])
        #expect(reason { _ = try texts("other") } == "other has the wrong type")
    }
}
