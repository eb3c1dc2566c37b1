package import Text

/// The media types of files by the ends of their names.
package enum MediaType {
    /// The type of what is not known.
    package static let unknown = "application/octet-stream"

    private static let types: [String: String] = [
        "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
        "avif": "image/avif", "bmp": "image/bmp", "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff",
        "heic": "image/heic", "ico": "image/x-icon",
        "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip", "json": "application/json",
        "txt": "text/plain", "log": "text/plain", "csv": "text/csv", "html": "text/html", "htm": "text/html",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
        "flac": "audio/flac", "mp4": "video/mp4", "webm": "video/webm", "mov": "video/quicktime",
        "mkv": "video/x-matroska",
        "doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "epub": "application/epub+zip", "ics": "text/calendar", "vcf": "text/vcard",
    ]

    /// Pictures that a page may show: they are decoded, never run.
    private static let pictures: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp",
    ]

    /// Returns the type that a name says.
    package static func of(_ name: ByteString) -> String {
        let bytes = name.lastName.bytes
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")) else { return unknown }
        return types[String(decoding: bytes[(dot + 1)...], as: UTF8.self).lowercased()] ?? unknown
    }

    /// Returns the end of names that says a type; nil for one that is not known.
    package static func ending(of type: String) -> String? {
        types.filter { $0.value == type }.map(\.key).min { ($0.count, $0) < ($1.count, $1) }
    }

    /// Whether a page may show a file of this type as a picture.
    package static func isPicture(_ type: String) -> Bool { pictures.contains(type) }
}
