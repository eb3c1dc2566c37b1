import CSystem
import Glibc

/// A started child that is not collected yet.
struct ChildProcess: Sendable {
    /// Its process id, and that of its group when it leads one.
    let process: pid_t
    /// Readable when the child has ended; a process id may name another process by then, this never does.
    let descriptor: Int32

    /// Starts `subprocess` with the given descriptors as 0, 1 and 2; -1 stands for /dev/null.
    init(
        _ subprocess: Subprocess, input: Int32, output: Int32, error: Int32, ownGroup: Bool
    ) throws(SubprocessError) {
        let words = [subprocess.program] + subprocess.arguments
        let variables = subprocess.environment?.map { "\($0.key)=\($0.value)" }
        let texts = words + (variables ?? []) + [subprocess.directory ?? ""]
        guard !texts.contains(where: { $0.utf8.contains(0) }) else {
            throw .notStarted(SystemError("start \(subprocess.program)", code: EINVAL))
        }
        var (process, descriptor): (pid_t, Int32) = (0, -1)
        let status = withCStrings(words) { words in
            withCStrings(variables ?? []) { variables in
                ByteString.withPath(subprocess.directory ?? "") { directory in
                    var child = system_spawn()
                    child.program = words.pointee.map { UnsafePointer($0) }
                    child.arguments = words
                    child.environment = subprocess.environment == nil ? system_environment() : variables
                    child.directory = subprocess.directory == nil ? nil : directory
                    (child.input, child.output, child.error) = (input, output, error)
                    child.own_group = ownGroup
                    return system_spawn(&child, &process, &descriptor)
                }
            }
        }
        guard status == 0 else {
            throw .notStarted(SystemError("start \(subprocess.program)", code: status))
        }
        (self.process, self.descriptor) = (process, descriptor)
    }

    /// Sends a signal to the child and all of its group, which it must lead.
    func signalGroup(_ number: Int32) { kill(-process, number) }

    /// Collects the child; call it once, after `descriptor` became readable.
    func reap() -> Subprocess.Status {
        defer { close(descriptor) }
        var code: Int32 = 0
        return system_reap(descriptor, &code) == 1 ? .exited(code) : .signalled(code)
    }
}

/// Calls `body` with `texts` as C takes lists of texts: ended by NULL. Bytes that are not UTF-8 are given on as they came.
private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let copies = texts.map { ByteString.withPath($0) { strdup($0) } } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { buffer in
        // Never empty, so it has an address.
        body(buffer.baseAddress!)
    }
}

/// The pipes between this process and a child. This process's ends never block.
struct Pipes {
    typealias Ends = (read: Int32, write: Int32)

    /// The child's standard input; nil when it gets none.
    let input: Ends?
    let output: Ends
    let error: Ends

    init(withInput: Bool) throws(SubprocessError) {
        var opened: [Ends] = []
        do {
            for _ in 0..<(withInput ? 3 : 2) { opened.append(try Pipes.open()) }
        } catch {
            for ends in opened { Pipes.close(ends.read, ends.write) }
            throw error
        }
        (output, error) = (opened[0], opened[1])
        input = withInput ? opened[2] : nil
        for descriptor in ownEnds { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    }

    private var ownEnds: [Int32] { [output.read, error.read] + (input.map { [$0.write] } ?? []) }

    func closeChildEnds() {
        Pipes.close(output.write, error.write)
        if let input { Pipes.close(input.read) }
    }

    func closeOwnEnds() { for descriptor in ownEnds { Pipes.close(descriptor) } }

    private static func open() throws(SubprocessError) -> Ends {
        var (read, write): (Int32, Int32) = (-1, -1)
        let status = system_pipe(&read, &write)
        if status != 0 { throw .notStarted(SystemError("pipe", code: status)) }
        return (read, write)
    }

    private static func close(_ descriptors: Int32...) { for descriptor in descriptors { Glibc.close(descriptor) } }
}
