import HubKit
import NotesDomain

extension NotesPlugin {
    /// Carries out a request of a client of hub's protocol. `person` is the author of its edits.
    func perform(
        _ request: NoteRequest, of client: ServedClient, as person: String, operation: Operation
    ) async -> ServerSession.Outcome {
        let begin = ContinuousClock.now
        let outcome = await carryOut(request, of: client, as: person, operation: operation)
        metrics.record(.request, .now - begin)
        var result = "done"
        if case .refused(let code, _) = outcome { result = code.rawValue }
        metrics.count(.requests, "kind=\"\(request.kind.name)\",result=\"\(result)\"")
        return outcome
    }

    private func carryOut(
        _ request: NoteRequest, of client: ServedClient, as person: String, operation: Operation
    ) async -> ServerSession.Outcome {
        do {
            if client.actor == .machine, case .set(let change) = request.kind, !change.attached.isEmpty {
                return try await withContents(of: change) {
                    try await serverStore.perform(
                        ServedRequest(request: request, client: client, person: person, operation: operation))
                }
            }
            return try await serverStore.perform(
                ServedRequest(request: request, client: client, person: person, operation: operation))
        } catch let error as NoteAppError {
            return .refused(.unavailable, error.message)
        } catch let error as HubError where error.kind == .invalid {
            return .refused(.tooLarge, error.message)
        } catch {
            log.error("a request of \(TerminalSanitizer.line(person)) failed: \(error)")
            return .refused(.unavailable, "The server cannot store this now")
        }
    }
}
