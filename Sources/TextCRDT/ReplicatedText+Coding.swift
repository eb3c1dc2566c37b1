/// Events as bytes: for the wire, and for keeping a text with its whole history.
///
/// The format, all numbers as LEB128 (signed ones zigzag): `CRT1`; agents (count, then each a length and UTF-8); events that
/// others follow but that are not in it (count, then agent and sequence each); runs of the graph (count, then agent,
/// sequence relative to the agent's last, length, number of parents, then each parent); runs of edits (count, then
/// length and kind, position relative to the end of the run before); then the inserted text as UTF-8. A parent is
/// 0 for the event before, 2n+1 for the n-th outside one, and 2n for that n events before the run.
extension ReplicatedText {
    private static let magic = Array("CRT1".utf8)

    /// All events that the version does not hold; what of the version is not known here is passed over.
    package func encoded(since version: Version = Version([])) -> [UInt8] {
        encode(since: version, upTo: graph.heads)
    }

    /// The events of version `last` that `version` does not hold.
    package func encoded(upTo last: Version, since version: Version = Version([])) throws(TextCRDTError) -> [UInt8] {
        encode(since: version, upTo: try numbers(of: last))
    }

    private func encode(since version: Version, upTo heads: [Int]) -> [UInt8] {
        let known = graph.dominators(of: version.heads.compactMap(graph.number(of:)))
        return encode(Array(graph.difference(known, heads).onlyB.reversed()))
    }

    private func encode(_ ranges: [Range<Int>]) -> [UInt8] {
        var agents = Numbering()
        var outside = Numbering()
        var graphBytes: [UInt8] = []
        var runCount = 0
        var lastSequences: [Int: Int] = [:]
        // The position of each range in the order of the encoding.
        var starts: [Int] = []
        var encodedCount = 0
        for range in ranges {
            starts.append(encodedCount)
            var start = range.lowerBound
            while start < range.upperBound {
                let run = graph.runs[graph.runIndex(of: start)]
                let end = min(run.end, range.upperBound)
                let sequence = run.sequence + start - run.start
                graphBytes.append(number: agents.number(of: run.agent))
                graphBytes.append(signed: sequence - lastSequences[run.agent, default: 0])
                lastSequences[run.agent] = sequence + end - start
                graphBytes.append(number: end - start)
                let parents = start == run.start ? run.parents : [start - 1]
                graphBytes.append(number: parents.count)
                for parent in parents {
                    if let index = ranges.firstIndex(holding: parent) {
                        let place = starts[index] + parent - ranges[index].lowerBound
                        graphBytes.append(number: 2 * (encodedCount - 1 - place))
                    } else {
                        graphBytes.append(number: 2 * outside.number(of: parent) + 1)
                    }
                }
                runCount += 1
                encodedCount += end - start
                start = end
            }
        }
        var editBytes: [UInt8] = []
        var editCount = 0
        var cursor = 0
        var content: [UInt8] = []
        for range in ranges {
            log.forEachRun(in: range) { run in
                editBytes.append(number: run.count << 2 | Int(run.kind.rawValue))
                let first = run.kind == .backspace ? run.position + run.count : run.position
                editBytes.append(signed: first - cursor)
                cursor = run.kind == .insert ? run.position + run.count : run.position
                editCount += 1
                if run.kind == .insert {
                    content.append(contentsOf: String(scalars: log.scalars[run.content..<run.content + run.count]).utf8)
                }
            }
        }
        let outsideIDs = outside.members.map(graph.owner(of:))
        for id in outsideIDs { _ = agents.number(of: id.agent) }
        var bytes = ReplicatedText.magic
        bytes.append(number: agents.members.count)
        for agent in agents.members {
            let name = Array(graph.agents[agent].utf8)
            bytes.append(number: name.count)
            bytes.append(contentsOf: name)
        }
        bytes.append(number: outsideIDs.count)
        for id in outsideIDs {
            bytes.append(number: agents.number(of: id.agent))
            bytes.append(number: id.sequence)
        }
        bytes.append(number: runCount)
        bytes.append(contentsOf: graphBytes)
        bytes.append(number: editCount)
        bytes.append(contentsOf: editBytes)
        bytes.append(number: content.count)
        bytes.append(contentsOf: content)
        return bytes
    }

    /// The steps that a merge of bytes of others may take, beside some for each run of events.
    package static let maximumSteps = 1_000_000

    /// The text that bytes of `encoded()` hold, which were written here: no limit but that of the events holds for them.
    package init(decoding bytes: [UInt8]) throws(TextCRDTError) { try self.init(decoding: [bytes]) }

    /// The text whose events were written here one part after the other, each since the version with all before it.
    package init(decoding parts: [[UInt8]]) throws(TextCRDTError) {
        self.init()
        for part in parts { try append(Patch(part, isOwn: true), maximumHeads: .max, maximumSteps: .max) }
        _ = try integrate(from: Mark(ReplicatedText()))
    }

    /// Takes in events that `encoded` wrote elsewhere; known ones are compared. Returns what they change in the
    /// text. When the bytes are refused nothing has changed.
    @discardableResult
    package mutating func merge(
        _ bytes: [UInt8], maximumSteps: Int = ReplicatedText.maximumSteps
    ) throws(TextCRDTError) -> [TextEdit] {
        let patch = try Patch(bytes)
        let mark = Mark(self)
        let runCount = graph.runs.count + log.runs.count + patch.runs.count + patch.edits.count
        let maximumSteps = maximumSteps + 8 * runCount
        do throws(TextCRDTError) {
            try append(patch, maximumHeads: Version.maximumHeads, maximumSteps: maximumSteps)
        } catch {
            rewind(to: mark)
            throw error
        }
        return try integrate(from: mark, maximumSteps: maximumSteps)
    }

    private mutating func append(
        _ patch: Patch, maximumHeads: Int, maximumSteps: Int
    ) throws(TextCRDTError) {
        let agents = patch.agents.map { graph.number(ofAgent: $0) }
        var outside: [Int] = []
        var missing: [EventID] = []
        for id in patch.outside {
            if let number = graph.number(agent: agents[id.agent], sequence: id.sequence) {
                outside.append(number)
            } else {
                missing.append(EventID(agent: patch.agents[id.agent], sequence: id.sequence))
            }
        }
        guard missing.isEmpty else { throw .missingParents(missing) }
        // The positions of the patch's events in this log: stretches with consecutive numbers.
        var places: ContiguousArray<(patch: Int, here: Int)> = []
        func here(_ event: Int) -> Int {
            let place = places[places.firstIndex(after: event) { $0.patch } - 1]
            return place.here + event - place.patch
        }
        var edits = PatchEdits(patch)
        var event = 0
        var steps = 0
        func parents(of run: Patch.Run, _ done: Int) throws(TextCRDTError) -> [Int] {
            if done > 0 { return [here(event - 1)] }
            let parents = run.parents.map { parent in
                switch parent {
                case .outside(let index): outside[index]
                case .inside(let number): here(number)
                }
            }
            guard parents.count > 1 else { return parents }
            // One of them may precede another for a reader that has more events than the writer knew.
            let dominators = graph.dominators(of: parents, &steps)
            guard steps <= maximumSteps else { throw .tooComplex }
            return dominators
        }
        for run in patch.runs {
            var done = 0
            while done < run.count {
                let (isKnown, count) = graph.knownPrefix(
                    agent: agents[run.agent], sequence: run.sequence + done, limit: run.count - done)
                if isKnown {
                    guard let number = graph.number(agent: agents[run.agent], sequence: run.sequence + done) else {
                        break
                    }
                    let isSame = graph.parents(of: number) == (try parents(of: run, done))
                    places.append((event, number))
                    let same = min(try edits.matching(count, log, from: number), graph.straight(number, count))
                    guard isSame, same == count else {
                        throw .conflict(
                            EventID(
                                agent: patch.agents[run.agent], sequence: run.sequence + done + (isSame ? same : 0)))
                    }
                } else {
                    guard graph.count + count <= ReplicatedText.maximumEventCount else { throw .tooManyEvents }
                    let parents = try parents(of: run, done)
                    places.append((event, graph.count))
                    graph.append(
                        count, agent: agents[run.agent], sequence: run.sequence + done, parents: parents)
                    guard graph.heads.count <= maximumHeads else { throw .tooComplex }
                    try edits.take(count, into: &log)
                }
                done += count
                event += count
            }
        }
    }
}

/// Bytes of events, read and checked, with the events still under their own numbers.
private struct Patch {
    enum Parent {
        case outside(Int)
        case inside(Int)
    }

    struct Run {
        let agent: Int
        let sequence: Int
        let count: Int
        let parents: [Parent]
    }

    struct Edit {
        let kind: OperationLog.Kind
        let count: Int
        /// The lowest position of the run.
        let position: Int
    }

    var agents: [String] = []
    var outside: [(agent: Int, sequence: Int)] = []
    var runs: ContiguousArray<Run> = []
    var edits: ContiguousArray<Edit> = []
    var scalars: ContiguousArray<UInt32> = []

    /// Reads bytes. Those of others have limits, which are the same for all who read and write names of events.
    init(_ bytes: [UInt8], isOwn: Bool = false) throws(TextCRDTError) {
        var reader = ByteReader(bytes)
        guard try Array(reader.bytes(4)) == Array("CRT1".utf8) else { throw .malformed("magic") }
        for _ in 0..<(try reader.count()) {
            let name = try reader.bytes(try reader.number())
            guard let name = String(validating: name, as: UTF8.self), isOwn || EventID.isAcceptable(agent: name) else {
                throw .malformed("agent")
            }
            agents.append(name)
        }
        guard Set(agents.map { AgentName($0) }).count == agents.count else { throw .malformed("agents") }
        for _ in 0..<(try reader.count()) {
            outside.append(
                (try reader.number(below: agents.count), try reader.number(below: EventID.sequences.upperBound)))
        }
        var lastSequences = [Int](repeating: 0, count: agents.count)
        var eventCount = 0
        let runCount = try reader.count()
        runs.reserveCapacity(runCount)
        for _ in 0..<runCount {
            let agent = try reader.number(below: agents.count)
            let sequence = lastSequences[agent] + (try reader.signed())
            let count = try reader.number()
            guard count > 0, eventCount + count <= ReplicatedText.maximumEventCount, sequence >= 0,
                sequence + count <= EventID.sequences.upperBound
            else {
                throw .malformed("run")
            }
            lastSequences[agent] = sequence + count
            var parents: [Parent] = []
            let parentCount = try reader.count()
            guard isOwn || parentCount <= Version.maximumHeads else { throw .tooComplex }
            for _ in 0..<parentCount {
                let value = try reader.number()
                if value & 1 == 1 {
                    guard value / 2 < outside.count else { throw .malformed("parent") }
                    parents.append(.outside(value / 2))
                } else {
                    guard value / 2 < eventCount else { throw .malformed("parent") }
                    parents.append(.inside(eventCount - 1 - value / 2))
                }
            }
            runs.append(Run(agent: agent, sequence: sequence, count: count, parents: parents))
            eventCount += count
        }
        try readEdits(&reader, eventCount)
    }

    private mutating func readEdits(_ reader: inout ByteReader, _ eventCount: Int) throws(TextCRDTError) {
        var cursor = 0
        var left = eventCount
        var insertedCount = 0
        let editCount = try reader.count()
        edits.reserveCapacity(editCount)
        for _ in 0..<editCount {
            let head = try reader.number()
            let count = head >> 2
            guard let kind = OperationLog.Kind(rawValue: UInt8(head & 3)), count > 0, count <= left else {
                throw .malformed("edit")
            }
            let first = cursor + (try reader.signed())
            let position = kind == .backspace ? first - count : first
            guard position >= 0, position < 1 << 31 else { throw .malformed("position") }
            cursor = kind == .insert ? position + count : position
            left -= count
            if kind == .insert { insertedCount += count }
            edits.append(Edit(kind: kind, count: count, position: position))
        }
        guard left == 0 else { throw .malformed("edits") }
        guard let content = String(validating: try reader.bytes(try reader.number()), as: UTF8.self), reader.isAtEnd
        else {
            throw .malformed("text")
        }
        scalars.reserveCapacity(insertedCount)
        for scalar in content.unicodeScalars { scalars.append(scalar.value) }
        guard scalars.count == insertedCount else { throw .malformed("text") }
    }
}

/// The edits of a patch, taken from the front.
private struct PatchEdits {
    private let patch: Patch
    private var index = 0
    /// The number of scalars of the edit at `index` that are consumed.
    private var offset = 0
    private var content = 0

    init(_ patch: Patch) { self.patch = patch }

    /// Passes over events that are in the log from `number` on. Returns how many of them are the same there, from the first.
    mutating func matching(_ count: Int, _ log: OperationLog, from number: Int) throws(TextCRDTError) -> Int {
        let scalars = patch.scalars
        var (same, next, isSame) = (0, number, true)
        try advance(count) { run, content in
            log.forEachRun(in: next..<next + run.count) { known in
                guard isSame else { return }
                let offset = known.start - next
                let part = run.part(run.start + offset..<run.start + offset + known.count)
                if part.kind == .insert, known.kind == .insert, part.position == known.position {
                    let (first, second) = (content + offset, known.content)
                    let end = (0..<known.count).first { scalars[first + $0] != log.scalars[second + $0] }
                    same += end ?? known.count
                    isSame = end == nil
                } else {
                    isSame = part.isSameDeletion(as: known)
                    if isSame { same += known.count }
                }
            }
            next += run.count
        }
        return same
    }

    mutating func take(_ count: Int, into log: inout OperationLog) throws(TextCRDTError) {
        let scalars = patch.scalars
        try advance(count) { run, content in
            if run.kind == .insert {
                log.appendInsertion(scalars[content..<content + run.count], at: run.position)
            } else {
                log.appendDeletion(run.count, at: run.position, isBackspace: run.kind == .backspace)
            }
        }
    }

    private mutating func advance(
        _ count: Int, _ body: (OperationLog.Run, _ content: Int) -> Void
    ) throws(TextCRDTError) {
        var left = count
        while left > 0 {
            guard index < patch.edits.count else { throw .malformed("edits") }
            let edit = patch.edits[index]
            let taken = min(left, edit.count - offset)
            let run = OperationLog.Run(
                start: 0, count: edit.count, kind: edit.kind, position: edit.position, content: 0)
            body(run.part(offset..<offset + taken), content)
            if edit.kind == .insert { content += taken }
            left -= taken
            offset += taken
            if offset == edit.count { (index, offset) = (index + 1, 0) }
        }
    }
}

/// Numbers values in the order of their first occurrence.
private struct Numbering {
    private(set) var members: [Int] = []
    private var numbers: [Int: Int] = [:]

    mutating func number(of member: Int) -> Int {
        if let known = numbers[member] { return known }
        members.append(member)
        numbers[member] = members.count - 1
        return members.count - 1
    }
}

extension [Range<Int>] {
    /// The index of the range that holds a number; the ranges are in order.
    fileprivate func firstIndex(holding number: Int) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].upperBound <= number { low = middle + 1 } else { high = middle }
        }
        return low < count && self[low].contains(number) ? low : nil
    }
}
