import TOML
import Testing

@Suite struct SyntaxErrorTests {
    @Test(arguments: [
        ("x = 1\ny = \n", 2, 5, "expected value, found the end of the line"),
        ("x = 1\nx = 2\n", 2, 5, "cannot redefine existing integer 'x'"),
        ("x = [1,2\ny = 1", 2, 1, "expected comma or closing ']', found 'y'"),
        ("[a\nx = 1", 1, 3, "expected ']', found the end of the line"),
        ("x = \"a\\q\"", 1, 8, "unknown escape sequence '\\q'"),
        ("x = tru", 1, 8, "the file ends too early"),
        ("x\n", 1, 2, "expected '=', found the end of the line"),
        ("x = 5 y = 6\n", 1, 7, "expected a comment or whitespace, found 'y'"),
        ("x = 1\né = 1\n", 2, 1, "expected keys, tables, whitespace or comments, found 'é'"),
        ("[.", 1, 2, "expected bare key starting character or string delimiter, found '.'"),
        ("a\u{0}b = 1\n", 1, 2, "expected '=', found '\\u0000'"),
    ])
    func `the first error is told with its place`(text: String, line: Int, column: Int, message: String) {
        #expect(throws: TOMLError(position: TOMLPosition(line: line, column: column), message: message)) {
            try TOML.parse(text)
        }
    }

    @Test func `broken UTF-8 is an error`() {
        let error = #expect(throws: TOMLError.self) { try TOML.parse(Array("x = \"".utf8) + [0xFF, 0x22, 0x0A]) }
        #expect(error?.position.line == 1)
    }
}
