/// The text of an item on its way through XML.
enum ItemText {
    /// Line ends as vCard and iCalendar have them (RFC 6350 §3.2, RFC 5545 §3.1): XML makes each CRLF a single LF.
    static func restored(_ text: String) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + text.utf8.count / 32)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0A, previous != 0x0D { output.append(0x0D) }
            output.append(byte)
            previous = byte
        }
        return output
    }
}
