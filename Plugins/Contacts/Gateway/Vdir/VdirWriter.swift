import ContactsDomain
import Glibc
import Sync
import System

/// Changes cards of a folder to which other programs may write at the same time.
struct VdirWriter {
    private let folder: DirectoryHandle
    /// The folder of the account; links to files outside it are not followed for writing.
    private let account: String

    init(_ folder: DirectoryHandle, account: String) {
        self.folder = folder
        self.account = account
    }

    /// Writes a new card to its own file, named after `name`.
    func create(_ card: [UInt8], name: String) throws(SystemError) -> PutResult {
        let card = CardFile.written(card, like: card)
        let key = CardFile(card).parts[0].key
        let file = FileName(safe: name, suffix: ".vcf")
        if let bytes = try readIfPresent(file) {
            let parts = CardFile(bytes).parts
            guard parts.contains(where: { $0.key.hasSameBytes(as: key) }) else {
                return .nameTaken(href: VdirPlace(file).href)
            }
            return .uidTaken(href: (parts.count == 1 ? VdirPlace(file) : VdirPlace(file, key: key)).href)
        }
        let temporary = FileName.temporary()
        if let refusal = try refusing({ () throws(SystemError) in
            try folder.write(card, new: temporary, mode: 0o600)
        }) {
            return .refused(refusal)
        }
        guard try folder.rename(temporary, toNew: file) else {
            try folder.remove(temporary)
            return .nameTaken(href: VdirPlace(file).href)
        }
        folder.flush()
        return .stored(href: VdirPlace(file).href, etag: CardFile.etag(of: card))
    }

    /// Replaces the card at a path that still has `etag`.
    func update(_ place: VdirPlace, to card: [UInt8], ifMatch etag: String) throws(SystemError) -> PutResult {
        switch try behindLink(place) {
        case .file: break
        case .closed(let reason): return .refused(.notAllowed(reason: reason))
        case .target(let writer, let target):
            let answer = try writer.update(target, to: card, ifMatch: etag)
            guard case .stored(_, let etag) = answer else { return answer }
            return .stored(href: place.href, etag: etag)
        }
        guard let bytes = try readIfPresent(place.file) else { return .gone }
        let file = CardFile(bytes)
        guard let part = file.part(at: place) else { return .gone }
        // A file that is not a card is never replaced.
        guard file.holdsCard, file.etag(of: part) == etag else { return .changedMeanwhile }
        let written = file.replacing(part, with: card)
        switch try replace(place.file, bytes, with: written) {
        case .done:
            let kept = place.key == nil ? written : CardFile.written(card, like: part.bytes)
            return .stored(href: place.href, etag: CardFile.etag(of: kept))
        case .changed: return .changedMeanwhile
        case .gone: return .gone
        case .refused(let reason): return .refused(.notAllowed(reason: reason))
        }
    }

    /// Removes the card at a path that still has `etag`; a file is deleted with its last card, and for a link only the
    /// link.
    func remove(_ place: VdirPlace, ifMatch etag: String) throws(SystemError) -> DeleteResult {
        guard let bytes = try readIfPresent(place.file) else { return .gone }
        let file = CardFile(bytes)
        guard let part = file.part(at: place) else { return .gone }
        guard file.holdsCard, file.etag(of: part) == etag else { return .changedMeanwhile }
        let outcome: Outcome
        if file.parts.count > 1 {
            switch try behindLink(place) {
            case .file: break
            case .closed(let reason): return .refused(.notAllowed(reason: reason))
            case .target(let writer, let target): return try writer.remove(target, ifMatch: etag)
            }
            outcome = try replace(place.file, bytes, with: file.removing(part))
        } else {
            outcome = try takeAway(place.file, bytes)
        }
        switch outcome {
        case .done, .gone: return .gone
        case .changed: return .changedMeanwhile
        case .refused(let reason): return .refused(.notAllowed(reason: reason))
        }
    }

    private enum Outcome {
        case done, changed, gone
        case refused(String)
    }

    /// Replaces the content of the file by `new` if it is still `old`.
    private func replace(_ name: FileName, _ old: [UInt8], with new: [UInt8]) throws(SystemError) -> Outcome {
        guard let mode = try folder.status(name)?.st_mode else { return .gone }
        let temporary = FileName.temporary()
        if let refusal = try refusing({ () throws(SystemError) in
            try folder.write(new, new: temporary, mode: mode & 0o7777)
        }) {
            return .refused(refusal.reason)
        }
        do throws(SystemError) {
            guard try folder.exchange(temporary, name) else {
                return try replaceBlindly(name, old, temporary)
            }
        } catch {
            try folder.remove(temporary)
            if error.code == ENOENT { return .gone }
            throw error
        }
        // The replaced content can be checked now; if it is not the expected one, it is restored.
        if try readIfPresent(temporary) == old {
            try folder.remove(temporary)
            folder.flush()
            return .done
        }
        try putBack(temporary, to: name, ours: new)
        return .changed
    }

    /// Exchanges the files again. If another program has replaced ours meanwhile, both of its versions are kept.
    private func putBack(_ temporary: FileName, to name: FileName, ours: [UInt8]) throws(SystemError) {
        _ = try folder.exchange(temporary, name)
        if try readIfPresent(temporary) == ours { return try folder.remove(temporary) }
        _ = try folder.exchange(temporary, name)
        try keep(temporary, like: name)
    }

    /// For file systems without atomic exchange: checks again right before the rename.
    private func replaceBlindly(
        _ name: FileName, _ old: [UInt8], _ temporary: FileName
    ) throws(SystemError) -> Outcome {
        let current = try readIfPresent(name)
        guard current == old else {
            try folder.remove(temporary)
            return current == nil ? .gone : .changed
        }
        try folder.rename(temporary, over: name)
        folder.flush()
        return .done
    }

    /// Removes the file if its content is still `old`.
    private func takeAway(_ name: FileName, _ old: [UInt8]) throws(SystemError) -> Outcome {
        let temporary = FileName.temporary()
        do throws(SystemError) {
            guard try folder.rename(name, toNew: temporary) else { return .changed }
        } catch {
            if error.code == ENOENT { return .gone }
            guard let reason = error.refusal else { throw error }
            return .refused(reason)
        }
        if try readIfPresent(temporary) == old {
            try folder.remove(temporary)
            folder.flush()
            return .done
        }
        if try !folder.rename(temporary, toNew: name) { try keep(temporary, like: name) }
        return .changed
    }

    /// Gives a file of another program a unique name.
    private func keep(_ temporary: FileName, like name: FileName) throws(SystemError) {
        _ = try folder.rename(
            temporary, toNew: FileName(name.bytes.dropLast(4) + Array("-\(Identifier.make()).vcf".utf8)))
    }

    /// The bytes of the file; nil if it does not exist.
    private func readIfPresent(_ name: FileName) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            return try folder.read(name, limit: VdirBook.maximumSize)
        } catch {
            if error.code == ENOENT { return nil }
            throw error
        }
    }

    /// The real file of a path.
    private enum Behind {
        /// Not a link.
        case file
        /// A link: it stays, and this file is written.
        case target(VdirWriter, VdirPlace)
        /// A link that is not followed, with the reason.
        case closed(String)
    }

    /// Resolves the path's file if it is a link to a file in the account's folder. In a shared folder others could
    /// otherwise make any file of this user the target of a link.
    private func behindLink(_ place: VdirPlace) throws(SystemError) -> Behind {
        guard let status = try folder.status(place.file, followingLinks: false), status.st_mode & S_IFMT == S_IFLNK
        else { return .file }
        let path = FileName(Array(folder.path.utf8) + [UInt8(ascii: "/")] + place.file.bytes)
        guard let target = VdirWriter.real(path), let slash = target.lastIndex(of: UInt8(ascii: "/")) else {
            return .closed("broken symbolic link")
        }
        let isInside = [account, folder.path].contains { folder in
            VdirWriter.real(FileName(Array(folder.utf8))).map { target.starts(with: $0 + [UInt8(ascii: "/")]) } ?? false
        }
        guard isInside else { return .closed("symbolic link to a file outside the folder") }
        let inner = try DirectoryHandle(String(decoding: target[..<max(slash, 1)], as: UTF8.self))
        return .target(
            VdirWriter(inner, account: account), VdirPlace(FileName(Array(target[(slash + 1)...])), key: place.key))
    }

    /// The path without links; nil if it does not exist.
    private static func real(_ path: FileName) -> [UInt8]? {
        guard let real = path.withPointer({ realpath($0, nil) }) else { return nil }
        defer { free(real) }
        return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }

    /// The result for a folder or file that is not writable; other errors are thrown.
    private func refusing(_ body: () throws(SystemError) -> Void) throws(SystemError) -> ItemRefusal? {
        do throws(SystemError) {
            try body()
            return nil
        } catch {
            guard let reason = error.refusal else { throw error }
            return .notAllowed(reason: reason)
        }
    }
}

extension SystemError {
    /// The reason if this file cannot be read or changed, while others can.
    var refusal: String? {
        [EACCES, EPERM, EROFS, EISDIR, ELOOP, EINVAL, EFBIG, ENAMETOOLONG, ENXIO].contains(code)
            ? String(cString: strerror(code)) : nil
    }
}
