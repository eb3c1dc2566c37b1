import CSystem
import Glibc
import System

/// A helper program that a test started; it is stopped when the test lets go of it.
///
/// Its standard input is a pipe from this process: helpers end when that closes, so a test that crashes leaves none.
package final class TestProcess: Sendable {
    private let process: pid_t
    private let descriptor: Int32
    private let input: Int32
    private let output: Int32

    /// Starts `program`, found in PATH, with `arguments`, `environment` and, if that names no time zone, UTC.
    package init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        var (inputRead, inputWrite, outputRead, outputWrite): (Int32, Int32, Int32, Int32) = (-1, -1, -1, -1)
        guard system_pipe(&inputRead, &inputWrite) == 0, system_pipe(&outputRead, &outputWrite) == 0 else {
            throw TestProcessError.notStarted(program, errno)
        }
        var process: pid_t = 0
        var descriptor: Int32 = -1
        var texts = ([program] + arguments).map { strdup($0) as UnsafeMutablePointer<CChar>? }
        var variables = ["TZ": "UTC"].merging(environment) { $1 }.map {
            strdup("\($0)=\($1)") as UnsafeMutablePointer<CChar>?
        }
        defer { for text in texts + variables { free(text) } }
        texts.append(nil)
        variables.append(nil)
        let status = texts.withUnsafeBufferPointer { texts in
            variables.withUnsafeBufferPointer { variables in
                var child = system_spawn()
                child.program = UnsafePointer(texts.first ?? nil)
                child.arguments = texts.baseAddress
                child.environment = variables.baseAddress
                (child.input, child.output, child.error) = (inputRead, outputWrite, 2)
                child.own_group = true
                return system_spawn(&child, &process, &descriptor)
            }
        }
        close(inputRead)
        close(outputWrite)
        guard status == 0 else { throw TestProcessError.notStarted(program, status) }
        (self.process, self.descriptor, self.input, self.output) = (process, descriptor, inputWrite, outputRead)
    }

    /// The next line that the program prints, without its end. Waits for it where the test runs, so only for what the program says by
    /// itself: the threads of all tests are two, and this one does nothing else meanwhile.
    package func line() throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        throw TestProcessError.ended
    }

    /// The next line that the program prints once this process has done something for it, without its end.
    package func answer() async throws -> String { try await BackgroundThread.run { try self.line() } }

    /// Writes to the standard input of the program.
    package func write(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard Glibc.write(input, bytes, bytes.count) == bytes.count else { throw TestProcessError.ended }
    }

    /// Stops or continues the program as job control does.
    package func signal(_ number: Int32) { kill(-process, number) }

    deinit {
        close(input)
        kill(-process, SIGCONT)
        kill(-process, SIGTERM)
        var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        if poll(&ended, 1, 5000) != 1 { kill(-process, SIGKILL) }
        var code: Int32 = 0
        _ = system_reap(descriptor, &code)
        close(output)
        close(descriptor)
    }
}

/// The reason why a helper program cannot be used.
package enum TestProcessError: Error {
    case notStarted(String, Int32)
    case ended
}
