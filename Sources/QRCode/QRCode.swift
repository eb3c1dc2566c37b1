import CQRCode
import Glibc

/// A QR code (ISO/IEC 18004): a square of dark and light modules that holds some bytes.
package struct QRCode: Hashable, Sendable {
    /// The reason why bytes cannot be encoded as a QR code.
    package enum Failure: Error, Hashable, Sendable {
        /// There are none, or more than `maximumLength`.
        case length(Int)
        /// The library refused, with this error number of the system.
        case library(Int32)
        /// libqrencode is not installed, with the loader's words.
        case libraryMissing(String)
    }

    /// The most bytes that a code holds: version 40 with the lowest error correction.
    package static let maximumLength = 2953

    /// The width of the quiet zone around the code, in modules.
    package static let margin = 4

    /// The number of modules per side.
    package let size: Int
    private let modules: [Bool]

    /// Readers guess at text that is not ASCII; so many bytes of it leave room to say that it is UTF-8.
    private static let maximumDeclaredLength = 2951
    /// The number of UTF-8 among the character sets (AIM ECI).
    private static let utf8: UInt32 = 26

    /// The smallest code that holds `bytes`, with the lowest error correction.
    package init(_ bytes: [UInt8]) throws(Failure) {
        guard (1...QRCode.maximumLength).contains(bytes.count) else { throw .length(bytes.count) }
        var reason: UnsafePointer<CChar>?
        guard let library = lazy_qrcode_load(&reason)?.pointee else {
            throw .libraryMissing(reason.map { String(cString: $0) } ?? "")
        }
        guard let input = library.QRinput_new2(0, QR_ECLEVEL_L) else { throw .library(errno) }
        defer { library.QRinput_free(input) }
        let isDeclared = bytes.count <= QRCode.maximumDeclaredLength && bytes.contains { $0 >= 0x80 }
        if isDeclared, String(validating: bytes, as: UTF8.self) != nil,
            library.QRinput_appendECIheader(input, QRCode.utf8) != 0
        {
            throw .library(errno)
        }
        guard library.QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes) == 0,
            let code = library.QRcode_encodeInput(input)
        else { throw .library(errno) }
        defer { library.QRcode_free(code) }
        let size = Int(code.pointee.width)
        guard size > 0, let data = code.pointee.data else { throw .library(0) }
        self.size = size
        // The lowest bit of each byte says whether the module is dark.
        modules = (0..<size * size).map { data[$0] & 1 == 1 }
    }

    /// Whether the module in column `x` and row `y` is dark; outside the code all are light.
    package func isDark(_ x: Int, _ y: Int) -> Bool {
        (0..<size).contains(x) && (0..<size).contains(y) && modules[y * size + x]
    }
}

extension QRCode.Failure: CustomStringConvertible {
    /// The message for the user.
    package var description: String {
        switch self {
        case .length(let count): "a code holds 1 to \(QRCode.maximumLength) bytes, not \(count)"
        case .library(let number): "libqrencode cannot encode it: error \(number)"
        case .libraryMissing(let reason): "libqrencode cannot be loaded: \(reason)"
        }
    }
}

extension QRCode {
    /// The code for a terminal: a character stands for two modules, one above the other. Light modules are drawn, since
    /// most terminals are dark; readers of codes accept both.
    package var halfBlocks: [String] {
        stride(from: -QRCode.margin, to: size + QRCode.margin, by: 2).map { y in
            columns.map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (false, false): "█"
                case (false, true): "▀"
                case (true, false): "▄"
                case (true, true): " "
                }
            }.joined()
        }
    }

    /// The code in ASCII: two characters stand for a module, so that it is square; dark ones are drawn.
    package var ascii: [String] {
        columns.map { y in columns.map { x in isDark(x, y) ? "##" : "  " }.joined() }
    }

    private var columns: Range<Int> { -QRCode.margin..<size + QRCode.margin }
}

extension QRCode {
    /// The code as a picture of lines (SVG 1.1), which can be drawn at any size.
    package var svg: String {
        let side = size + 2 * QRCode.margin
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                guard isDark(x, y) else {
                    x += 1
                    continue
                }
                let start = x
                while isDark(x, y) { x += 1 }
                path += "M\(start + QRCode.margin) \(y + QRCode.margin)h\(x - start)v1h-\(x - start)z"
            }
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" width="\(side * 8)" \
            height="\(side * 8)" shape-rendering="crispEdges">
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path d="\(path)" fill="#000"/>
            </svg>

            """
    }
}
