import CICU
import Synchronization

/// Turns names into keys that sort, byte by byte, as people of a locale expect (UTS #10).
///
/// ICU is opened with the first key. Without ICU the keys are the folded text, which is correct for English and close
/// for other languages; `version` distinguishes the two, so that stored keys are rebuilt when it changes.
package final class Collator: Sendable {
    /// The language tag whose order is used, such as `de` or `en_GB`.
    package let locale: String

    private enum Engine {
        case unopened
        case icu(ICU.Functions, OpaquePointer)
        case plain
    }

    // ICU calls a collator safe for several threads as long as it is not changed; the lock makes that explicit.
    private let engine = Mutex(Engine.unopened)

    /// A collator for `locale`; an unknown locale takes the root order of CLDR.
    package init(locale: String) { self.locale = locale }

    deinit {
        engine.withLock { if case .icu(let icu, let handle) = $0 { icu.pointee.ucol_close(handle) } }
    }

    /// The bytes that sort `text`; equal texts have equal keys, and a shorter key that begins another sorts first.
    package func sortKey(of text: String) -> [UInt8] {
        engine.withLock { engine in
            guard case .icu(let icu, let handle) = opened(&engine) else {
                return Array(Transliterator.fold(text).utf8)
            }
            let units = Array(text.utf16)
            let length = Int32(clamping: units.count)
            var key = [UInt8](repeating: 0, count: units.count * 4 + 16)
            let needed = icu.pointee.ucol_getSortKey(handle, units, length, &key, Int32(clamping: key.count))
            if needed > key.count {
                key = [UInt8](repeating: 0, count: Int(needed))
                _ = icu.pointee.ucol_getSortKey(handle, units, length, &key, needed)
            }
            // The last byte is a terminating zero.
            key.removeLast(key.count - max(0, Int(needed) - 1))
            return key
        }
    }

    /// The engine, the version of its rules and the locale. Stored keys of another version are not comparable.
    package var version: String {
        engine.withLock { engine in
            guard case .icu(let icu, let handle) = opened(&engine) else { return "plain-1" }
            return "icu-\(ICU.version(icu))-\(ICU.text { icu.pointee.ucol_getVersion(handle, $0) })-\(locale)"
        }
    }

    /// Checks that keys come from ICU and not from the fallback.
    package func check() throws(CollationError) {
        if let error = ICU.loadingError() { throw error }
        let isPlain = engine.withLock { engine in
            if case .plain = opened(&engine) { true } else { false }
        }
        if isPlain { throw .refused("no collator for \(locale)") }
    }

    private func opened(_ engine: inout Engine) -> Engine {
        guard case .unopened = engine else { return engine }
        engine = .plain
        if let icu = ICU.functions {
            var status = U_ZERO_ERROR
            if let handle = icu.pointee.ucol_open(locale, &status) {
                if status.rawValue <= U_ZERO_ERROR.rawValue {
                    engine = .icu(icu, handle)
                } else {
                    icu.pointee.ucol_close(handle)
                }
            }
        }
        return engine
    }
}
