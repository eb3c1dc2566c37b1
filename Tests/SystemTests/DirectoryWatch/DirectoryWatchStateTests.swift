import Glibc
import Testing

@testable import System

/// The rules of a watch, without files and without time.
struct DirectoryWatchStateTests {
    private typealias State = DirectoryWatchState
    private let limits = State.Limits(folders: 5, depth: 2)

    /// A state whose folder is watched as 1, and what it reports first has been taken.
    private func watching(_ folders: [FileName] = []) -> State {
        var state = State(at: .zero, limits: limits)
        #expect(state.advance(to: .zero) == [.watch(RelativePath(), parent: nil)])
        let actions = state.watched(RelativePath(), parent: nil, as: 1, folders: folders, at: .zero)
        #expect(actions == folders.map { .watch(RelativePath([$0]), parent: 1) })
        for (index, folder) in folders.enumerated() {
            let watch = Int32(index + 2)
            #expect(state.watched(RelativePath([folder]), parent: 1, as: watch, folders: [], at: .zero).isEmpty)
        }
        #expect(state.deadline == .seconds(1))
        #expect(state.advance(to: .seconds(1)) == [.report(.everything)])
        return state
    }

    private func event(
        _ kind: InotifyEvent.Kind, _ name: String = "", in watch: Int32 = 1, isFolder: Bool = false
    ) -> InotifyEvent {
        InotifyEvent(watch: watch, kind: kind, name: FileName(name), isFolder: isFolder)
    }

    private func paths(_ names: String...) -> DirectoryChange { .paths(Set(names.map { RelativePath($0) })) }

    @Test func `changes that follow each other are one, and are not held back for ever`() {
        var state = watching()
        #expect(state.handle(event(.written, "a.vcf"), at: .seconds(2)).isEmpty)
        #expect(state.handle(event(.written, "b.vcf"), at: .milliseconds(2900)).isEmpty)
        #expect(state.deadline == .milliseconds(3900))
        #expect(state.advance(to: .milliseconds(3899)).isEmpty)
        #expect(state.advance(to: .milliseconds(3900)) == [.report(paths("a.vcf", "b.vcf"))])
        #expect(state.deadline == .seconds(15), "only the look at the folder is left")
        for step in 40...49 { _ = state.handle(event(.written, "log"), at: .milliseconds(step * 100)) }
        for step in 50...139 {
            #expect(state.handle(event(.written, "log"), at: .milliseconds(step * 100)).isEmpty)
            #expect(state.advance(to: .milliseconds(step * 100)).isEmpty)
        }
        #expect(state.advance(to: .seconds(14)) == [.report(paths("log"))])
    }

    @Test func `a file is reported when it is closed, and one that never is after a while`() {
        var state = watching()
        _ = state.handle(event(.created, "long.vcf"), at: .seconds(2))
        _ = state.handle(event(.written, "short.vcf"), at: .seconds(2))
        #expect(state.advance(to: .seconds(3)) == [.report(paths("short.vcf"))])
        #expect(state.deadline == .seconds(12))
        _ = state.handle(event(.written, "long.vcf"), at: .seconds(5))
        #expect(state.advance(to: .seconds(6)) == [.report(paths("long.vcf"))])
        _ = state.handle(event(.created, "link.vcf"), at: .seconds(6))
        #expect(state.advance(to: .seconds(7)).isEmpty)
        #expect(state.advance(to: .seconds(16)).last == .report(paths("link.vcf")))
    }

    @Test func `a file saved by renaming is reported by its name`() {
        var state = watching()
        _ = state.handle(event(.created, ".ada.vcf.swp"), at: .seconds(2))
        _ = state.handle(event(.written, ".ada.vcf.swp"), at: .seconds(2))
        #expect(state.advance(to: .seconds(4)).isEmpty, "hidden names are other programs' own")
        _ = state.handle(event(.removed, ".ada.vcf.swp"), at: .seconds(4))
        _ = state.handle(event(.written, "ada.vcf"), at: .seconds(4))
        #expect(state.advance(to: .seconds(5)) == [.report(paths("ada.vcf"))])
    }

    @Test func `folders are watched as they come, down to a depth, and forgotten as they go`() {
        var state = watching(["family"])
        #expect(
            state.handle(event(.created, "school", in: 2, isFolder: true), at: .seconds(2))
                == [.watch("family/school", parent: 2)])
        #expect(state.watched("family/school", parent: 2, as: 3, folders: ["deep"], at: .seconds(2)).isEmpty)
        #expect(state.handle(event(.created, "deep", in: 3, isFolder: true), at: .seconds(2)).isEmpty)
        #expect(state.handle(event(.created, ".git", isFolder: true), at: .seconds(2)).isEmpty)
        #expect(state.advance(to: .seconds(3)) == [.report(paths("family/school", "family/school/deep"))])
        // Moved: gone with all below, then there under its new name.
        #expect(state.handle(event(.removed, "family", isFolder: true), at: .seconds(4)) == [.end(2), .end(3)])
        #expect(state.count == 1)
        #expect(
            state.handle(event(.written, "friends", isFolder: true), at: .seconds(4))
                == [.watch("friends", parent: 1)])
        #expect(state.handle(event(.written, "x.vcf", in: 3), at: .seconds(4)).isEmpty, "an event of an ended watch")
        #expect(state.advance(to: .seconds(5)) == [.report(paths("family", "friends"))])
        // Gone again before it could be watched.
        #expect(state.failed("friends", code: ENOENT, at: .seconds(5)).isEmpty)
        #expect(state.watched("gone/inner", parent: 9, as: 8, folders: [], at: .seconds(5)) == [.end(8)])
        #expect(state.count == 1)
    }

    @Test func `a folder that is reached twice is watched once`() {
        var state = watching(["family"])
        #expect(state.watched("loop", parent: 1, as: 1, folders: ["family"], at: .seconds(2)).isEmpty)
        #expect(state.watched("again", parent: 1, as: 2, isLink: true, folders: [], at: .seconds(2)).isEmpty)
        #expect(state.count == 2)
        // Without a link it was moved, and is watched anew under its new path.
        #expect(
            state.watched("friends", parent: 1, as: 2, folders: [], at: .seconds(2))
                == [.end(2), .watch("friends", parent: 1)])
        #expect(state.watched("friends", parent: 1, as: 3, folders: [], at: .seconds(2)).isEmpty)
        #expect(state.handle(event(.removed, "family", isFolder: true), at: .seconds(2)).isEmpty)
        #expect(state.count == 2)
    }

    @Test func `lost events mean everything, and the folders are listed again once`() {
        var state = watching(["family"])
        for step in 0..<100 { #expect(state.handle(event(.overflow, in: -1), at: .milliseconds(2000 + step)).isEmpty) }
        #expect(
            state.advance(to: .milliseconds(3099)) == [
                .restart, .watch(RelativePath(), parent: nil), .report(.everything),
            ])
        #expect(state.count == 0)
        #expect(state.watched(RelativePath(), parent: nil, as: 1, folders: [], at: .seconds(4)).isEmpty)
        #expect(state.advance(to: .seconds(5)) == [.report(.everything)])
    }

    @Test func `more paths than are told apart are everything`() {
        var state = watching()
        for number in 0...DirectoryChange.maximumPaths {
            _ = state.handle(event(.written, "\(number).vcf"), at: .seconds(2))
        }
        #expect(state.advance(to: .seconds(3)) == [.report(.everything)])
        var change = paths("a", "b")
        change.formUnion(paths("b", "c"))
        #expect(change == paths("a", "b", "c"))
        change.formUnion(.everything)
        change.formUnion(paths("d"))
        #expect(change == .everything)
    }

    @Test(arguments: [InotifyEvent.Kind.lost, .ended])
    func `a folder that goes and comes back is watched again`(kind: InotifyEvent.Kind) {
        var state = watching(["family"])
        #expect(state.handle(event(kind), at: .seconds(2)) == [.restart, .watch(RelativePath(), parent: nil)])
        #expect(state.failed(RelativePath(), code: ENOENT, at: .seconds(2)).isEmpty)
        #expect(state.advance(to: .seconds(3)) == [.report(.everything)])
        #expect(state.deadline == .seconds(15))
        #expect(state.advance(to: .seconds(15)) == [.watch(RelativePath(), parent: nil)])
        #expect(state.watched(RelativePath(), parent: nil, as: 1, folders: [], at: .seconds(15)).isEmpty)
        #expect(state.advance(to: .seconds(16)) == [.report(.everything)])
    }

    @Test func `another folder at the path, and none, are noticed without an event`() {
        var state = watching(["family"])
        #expect(state.advance(to: .seconds(15)) == [.watch(RelativePath(), parent: nil)])
        #expect(state.watched(RelativePath(), parent: nil, as: 1, folders: [], at: .seconds(15)).isEmpty)
        #expect(state.deadline == .seconds(30), "the same folder: nothing to do")
        let again: [DirectoryWatchState.Action] = [.restart, .watch(RelativePath(), parent: nil)]
        #expect(state.watched(RelativePath(), parent: nil, as: 7, folders: [], at: .seconds(30)) == again)
        #expect(state.watched(RelativePath(), parent: nil, as: 1, folders: [], at: .seconds(30)).isEmpty)
        #expect(state.advance(to: .seconds(31)).last == .report(.everything))
        #expect(state.failed(RelativePath(), code: ENOENT, at: .seconds(45)) == [.restart])
        #expect(state.count == 0)
    }

    @Test(arguments: [ENOSPC, EMFILE, ENFILE])
    func `where the system has no more watches everything is reported at intervals`(code: Int32) {
        var state = watching(["family"])
        _ = state.handle(event(.written, "a.vcf"), at: .seconds(2))
        #expect(
            state.failed("family", code: code, at: .seconds(2)) == [.fallBack(.watches), .report(.everything)])
        #expect(state.handle(event(.written, "b.vcf"), at: .seconds(3)).isEmpty)
        #expect(state.failed("other", code: code, at: .seconds(3)).isEmpty, "said once")
        #expect(state.watched("x", parent: 1, as: 9, folders: [], at: .seconds(3)).isEmpty)
        #expect(state.deadline == .seconds(62))
        #expect(state.advance(to: .seconds(61)).isEmpty)
        #expect(state.advance(to: .seconds(62)) == [.report(.everything)])
        #expect(state.advance(to: .seconds(122)) == [.report(.everything)])
    }

    @Test func `too many folders are not watched at all`() {
        var state = watching(["a", "b", "c", "d"])
        #expect(
            state.watched("e", parent: 1, as: 9, folders: [], at: .seconds(2))
                == [.fallBack(.folders), .report(.everything)])
        var other = watching()
        #expect(
            other.failed(RelativePath(), code: EFBIG, at: .seconds(2)) == [.fallBack(.folders), .report(.everything)])
    }
}

extension RelativePath: ExpressibleByStringLiteral {
    /// For short tests.
    public init(stringLiteral text: String) { self.init(text) }
}
