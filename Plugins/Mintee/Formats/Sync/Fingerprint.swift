import CivilDate
import Hashing

/// A hash of texts that is the same in every process: FNV-1a.
struct Fingerprint {
    private var hash = FNV1a()

    mutating func add(_ text: String?) {
        hash.add((text ?? "\u{1}").utf8)
        hash.add(0)
    }

    mutating func add(_ texts: [String]) {
        for text in texts { add(text) }
        hash.add(1)
    }

    mutating func add(_ entry: Entry?) {
        add(entry.map { NumberText.text($0.completion) })
        add(entry?.skipReason)
        add(entry?.note)
    }

    /// The hash; never 0.
    var value: Int { hash.value == 0 ? 1 : Int(truncatingIfNeeded: hash.value) }
}

extension DayTodo {
    /// The fingerprint of the day as hub would write it.
    package var fingerprint: Int {
        var print = Fingerprint()
        // The version of properties written besides the fields: a new name makes hub read and write every to-do once.
        print.add("DUE")
        print.add([uid, name] + tags.sorted())
        print.add(target?.description)
        if let remindAt { print.add("\(remindAt)") }
        print.add(entry)
        return print.value
    }
}

extension IncomingTodo {
    /// The fingerprint of the to-do as hub reads it.
    package var fingerprint: Int {
        var print = Fingerprint()
        print.add([uid, name] + tags.sorted())
        print.add([date, due].map { $0?.description ?? "" })
        print.add([progress.status.rawValue, String(progress.percent)])
        print.add(note)
        print.add(written)
        return print.value
    }
}
