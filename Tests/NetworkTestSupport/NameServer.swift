import Dispatch
import Glibc

/// A name server on UDP of the loopback interface, which answers each question with what a script makes of it.
package final class NameServer: Sendable {
    package let port: UInt16
    private let socket: Int32

    package init(_ script: @escaping @Sendable ([UInt8]) -> [UInt8]) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) | getsockname(socket, $0, &length)
            }
        }
        guard status == 0 else { throw TestProcessError.notStarted("a name server", errno) }
        self.socket = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        port = UInt16(bigEndian: place.sin_port)
        DispatchQueue(label: "test.dns").async {
            // Closed here alone: under its number another test may have a socket a moment later.
            defer { close(socket) }
            var buffer = [UInt8](repeating: 0, count: 2048)
            while true {
                var peer = sockaddr_storage()
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                let keepsOn = withUnsafeMutablePointer(to: &peer) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { peer in
                        let count = recvfrom(socket, &buffer, buffer.count, 0, peer, &length)
                        guard count > 0 else { return false }
                        let answer = script(Array(buffer.prefix(count)))
                        return sendto(socket, answer, answer.count, 0, peer, length) == answer.count
                    }
                }
                if !keepsOn { return }
            }
        }
    }

    deinit {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }

    /// An answer with the question's id and name and the given records; only the first question is kept.
    package static func answer(
        _ question: [UInt8], records: [(type: UInt8, data: [UInt8])], code: UInt8 = 0
    ) -> [UInt8] {
        let end = (question[12...].firstIndex(of: 0) ?? 12) + 5
        var bytes = Array(question[0..<2]) + [0x81, 0x80 | code, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
        bytes += question[12..<end]
        for record in records {
            bytes += [0xC0, 12, 0, record.type, 0, 1, 0, 0, 0, 60, 0, UInt8(record.data.count)] + record.data
        }
        return bytes
    }

    /// The data of an SRV record.
    package static func service(_ target: String, priority: UInt8 = 0, port: UInt16 = 443) -> [UInt8] {
        var data: [UInt8] = [0, priority, 0, 0, UInt8(port >> 8), UInt8(port & 255)]
        for label in target.split(separator: ".") {
            data.append(UInt8(label.utf8.count))
            data += label.utf8
        }
        return data + [0]
    }
}
