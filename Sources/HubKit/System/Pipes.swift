import CSystem
import Glibc

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
