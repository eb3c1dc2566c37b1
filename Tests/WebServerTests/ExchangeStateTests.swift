import TestSupport
import Testing

@testable import WebServer

/// Drives the state machine in random orders and checks what must hold in every one of them.
struct ExchangeStateTests {
    /// The view of the daemon and the server on an exchange.
    private struct Model {
        var isSuspended = false
        var isWriterParked = false
        var written: [UInt8] = []
        var arrived: [UInt8] = []
        var isOver = false
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `no connection stays suspended and no writer waits for nothing`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var state = ExchangeState(highWaterMark: 100)
        var model = Model()
        var next: UInt8 = 0
        var isAnswered = false
        var isReading = false
        var isBodyOver = false
        state.begin()
        for _ in 0..<400 {
            switch Int.random(in: 0..<12, using: &generator) {
            case 0 where !isAnswered:
                isAnswered = true
                resume(state.answer(HTTPResponse(body: .stream { _ in })), &model)
            case 1...5 where isAnswered && !isBodyOver && !model.isWriterParked:
                let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ -> UInt8 in
                    next &+= 1
                    return next
                }
                switch state.offer(bytes) {
                case .accepted(let doesResume):
                    resume(doesResume, &model)
                    model.written += bytes
                case .full:
                    next &-= UInt8(truncatingIfNeeded: bytes.count)
                    model.isWriterParked = state.waitForRoom()
                case .gone: #expect(model.isOver)
                }
            case 6 where isAnswered && !isBodyOver && !model.isWriterParked:
                isBodyOver = Int.random(in: 0..<20, using: &generator) == 0
                if isBodyOver { resume(state.endBody(failed: false), &model) }
            case 7...10 where !model.isSuspended && !model.isOver:
                if isReading {
                    read(&state, &model, isBodyOver)
                } else {
                    switch state.next() {
                    case .reply: isReading = true
                    case .wait: model.isSuspended = true
                    case .cut: Issue.record("the connection was cut")
                    }
                }
            case 11 where Int.random(in: 0..<60, using: &generator) == 0 && !model.isSuspended && !model.isOver:
                model.isOver = true
                unpark(state.connectionEnded().wake, &model)
            default: break
            }
            // A waiting task must have something to wait for.
            #expect(!(model.isSuspended && model.isWriterParked))
        }
        if !model.isOver { #expect(model.written.starts(with: model.arrived)) }
        let (doesResume, wake) = state.abandon()
        resume(doesResume, &model)
        unpark(wake, &model)
        #expect(model.isOver || !model.isSuspended)
        #expect(!model.isWriterParked)
        if case .accepted = state.offer([1]) { Issue.record("bytes were taken after the end") }
    }

    private func read(_ state: inout ExchangeState, _ model: inout Model, _ isBodyOver: Bool) {
        let (piece, wake, bytes) = withUnsafeTemporaryAllocation(byteCount: 40, alignment: 1) { buffer in
            let (piece, wake) = state.read(into: buffer)
            guard case .bytes(let count) = piece else { return (piece, wake, [UInt8]()) }
            return (piece, wake, Array(buffer[..<count]))
        }
        unpark(wake, &model)
        model.arrived += bytes
        switch piece {
        case .bytes(let count): #expect(count > 0)
        case .wait:
            #expect(model.arrived == model.written)
            model.isSuspended = true
        case .end:
            #expect(isBodyOver && model.arrived == model.written)
            model.isOver = true
            unpark(state.connectionEnded().wake, &model)
        case .failed: Issue.record("nothing failed")
        }
    }

    private func resume(_ doesResume: Bool, _ model: inout Model) {
        guard doesResume else { return }
        #expect(model.isSuspended)
        model.isSuspended = false
    }

    private func unpark(_ wake: Bool, _ model: inout Model) {
        guard wake else { return }
        #expect(model.isWriterParked)
        model.isWriterParked = false
    }
}
