import CXML

/// Reads documents. No entity but the five of XML itself exists, nothing is fetched, a document type is refused.
package enum XMLReader {
    /// The maximum number of bytes of a tag or a comment, and of attributes of a tag.
    private static let (longestMarkup, mostAttributes) = (32 << 10, 256)

    /// The root element of `document`, whose encoding is what its first line says, else UTF-8.
    package static func read(
        _ document: [UInt8], limits: XMLLimits = XMLLimits()
    ) throws(XMLError) -> XMLElement {
        if let reason = cxml_load() { throw .libraryMissing(String(cString: reason)) }
        guard document.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        let builder = TreeBuilder(limits: limits)
        var events = cxml_events(start: startElement, end: endElement, text: addText)
        let result = document.withUnsafeBufferPointer { bytes in
            cxml_parse(
                bytes.baseAddress, bytes.count, longestMarkup, Int32(mostAttributes), &events,
                Unmanaged.passUnretained(builder).toOpaque())
        }
        switch result.outcome {
        case CXML_SOUND: break
        case CXML_DECLARED: throw .documentTypeRefused
        case CXML_MARKUP_TOO_LONG: throw .markupTooLong
        case CXML_NO_MEMORY: throw .noMemory
        case CXML_STOPPED: throw builder.failure ?? .noMemory
        default:
            let reason = withUnsafeBytes(of: result.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw .malformed(line: Int(result.line), reason: reason)
        }
        guard let root = builder.root else { throw .malformed(line: 1, reason: "no element found") }
        return root
    }
}

/// Makes the tree from the parser's events.
private final class TreeBuilder {
    private let limits: XMLLimits
    private var open: [XMLElement] = []
    private var texts: [[UInt8]] = []
    private var (count, attributeCount) = (0, 0)
    // The same few names come thousands of times; equal strings share their storage.
    private var names: [XMLName: XMLName] = [:]
    private(set) var root: XMLElement?
    private(set) var failure: XMLError?

    init(limits: XMLLimits) { self.limits = limits }

    /// Counts the attributes of a tag before they are read; false when there are too many.
    func mayRead(attributes: Int) -> Bool {
        attributeCount += attributes
        return attributeCount <= limits.attributes || fail(.tooManyAttributes(limit: limits.attributes))
    }

    func start(_ name: XMLName, _ attributes: [XMLName: String]) -> Bool {
        count += 1
        guard count <= limits.elements else { return fail(.tooManyElements(limit: limits.elements)) }
        guard open.count < limits.depth else { return fail(.tooDeep(limit: limits.depth)) }
        open.append(XMLElement(shared(name), attributes: attributes))
        texts.append([])
        return true
    }

    func end() -> Bool {
        guard var element = open.popLast(), let text = texts.popLast() else { return fail(.noMemory) }
        element.text = String(decoding: text, as: UTF8.self)
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        return true
    }

    func add(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if !texts.isEmpty { texts[texts.count - 1].append(contentsOf: text) }
        return true
    }

    func shared(_ name: XMLName) -> XMLName {
        if let known = names[name] { return known }
        if names.count < 1000 { names[name] = name }
        return name
    }

    private func fail(_ error: XMLError) -> Bool {
        failure = error
        return false
    }
}

private func builder(_ context: UnsafeMutableRawPointer?) -> TreeBuilder? {
    context.map { Unmanaged<TreeBuilder>.fromOpaque($0).takeUnretainedValue() }
}

private func string(_ text: cxml_text) -> String {
    String(decoding: UnsafeBufferPointer(start: text.bytes, count: text.size), as: UTF8.self)
}

private func startElement(
    _ context: UnsafeMutableRawPointer?, _ space: cxml_text, _ name: cxml_text,
    _ attributes: UnsafePointer<cxml_attribute>?, _ count: Int32
) -> Bool {
    guard let builder = builder(context), builder.mayRead(attributes: Int(count)) else { return false }
    var values: [XMLName: String] = [:]
    for attribute in UnsafeBufferPointer(start: attributes, count: Int(count)) {
        values[builder.shared(XMLName(string(attribute.space), string(attribute.name)))] = string(attribute.value)
    }
    return builder.start(XMLName(string(space), string(name)), values)
}

private func endElement(_ context: UnsafeMutableRawPointer?) -> Bool { builder(context)?.end() ?? false }

private func addText(_ context: UnsafeMutableRawPointer?, _ text: cxml_text) -> Bool {
    builder(context)?.add(UnsafeBufferPointer(start: text.bytes, count: text.size)) ?? false
}

/// The limits for a document.
package struct XMLLimits: Hashable, Sendable {
    /// The largest document, in bytes.
    package var bytes: Int
    /// The deepest nesting; the root has depth 1. libxml2 itself ends at 256.
    package var depth: Int
    /// The most elements; each takes some 150 bytes of memory.
    package var elements: Int
    /// The most attributes of all elements together; each takes some 200 bytes of memory.
    package var attributes: Int

    package init(
        bytes: Int = 64 << 20, depth: Int = 64, elements: Int = 2_000_000, attributes: Int = 500_000
    ) {
        self.bytes = bytes
        self.depth = depth
        self.elements = elements
        self.attributes = attributes
    }
}

/// An error while reading a document.
package enum XMLError: Error, Hashable, Sendable {
    /// libxml2 could not be loaded; the loader's text.
    case libraryMissing(String)
    /// The document breaks a rule of XML, its encoding or its namespaces.
    case malformed(line: Int, reason: String)
    /// It declares a document type. Data needs none, and entities that grow without end come in one.
    case documentTypeRefused
    /// It is larger than allowed, in bytes.
    case tooLarge(limit: Int)
    /// Elements are nested deeper than allowed.
    case tooDeep(limit: Int)
    /// There are more elements than allowed.
    case tooManyElements(limit: Int)
    /// There are more attributes than allowed, in all elements together.
    case tooManyAttributes(limit: Int)
    /// One tag or comment is too long, or has too many attributes.
    case markupTooLong
    /// No memory was left.
    case noMemory
}

extension XMLError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "libxml2 cannot be loaded: \(reason)"
        case .malformed(let line, let reason): "not well-formed XML in line \(line): \(reason)"
        case .documentTypeRefused: "the XML declares a document type, which is not allowed"
        case .tooLarge(let limit): "the XML is larger than \(limit) bytes"
        case .tooDeep(let limit): "the XML is nested deeper than \(limit) elements"
        case .tooManyElements(let limit): "the XML has more than \(limit) elements"
        case .tooManyAttributes(let limit): "the XML has more than \(limit) attributes"
        case .markupTooLong: "the XML has a tag or a comment that is too long"
        case .noMemory: "out of memory"
        }
    }
}
