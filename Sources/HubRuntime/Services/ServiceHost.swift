package import System

/// The life of `hub serve`: runs the supervisor, notifies the service manager, and handles signals.
package struct ServiceHost: Sendable {
    private let supervisor: Supervisor
    private let notifier: SystemdNotifier?
    private let clock: any Clock
    private let log: Log
    private let report: @Sendable ([ServiceReport]) -> Void

    /// `notifier` is nil when no service manager started this process. `report` gets the state of all services at each
    /// change.
    package init(
        _ supervisor: Supervisor, notifier: SystemdNotifier?, clock: any Clock, log: Log,
        report: @escaping @Sendable ([ServiceReport]) -> Void = { _ in }
    ) {
        self.report = report
        self.supervisor = supervisor
        self.notifier = notifier
        self.clock = clock
        self.log = log
    }

    /// Runs until the first of `signals` or of `reloads`, or until the task is cancelled, and then stops gracefully. A second signal
    /// ends the wait for that.
    package func run(until signals: AsyncStream<Int32>, or reloads: AsyncStream<Void> = AsyncStream { $0.finish() })
        async
    {
        let (events, happened) = AsyncStream.makeStream(of: Event.self)
        // Not a child task: a second signal abandons it.
        let work = Task {
            await supervisor.run()
            happened.yield(.stopped)
        }
        let companions = [
            Task { for await _ in signals { happened.yield(.signal) } },
            Task { for await _ in reloads { happened.yield(.reload) } }, Task { await feedWatchdog() },
            Task { await tellStatus() },
        ]
        defer { for companion in companions { companion.cancel() } }
        await withTaskCancellationHandler {
            await follow(events)
        } onCancel: {
            supervisor.stop()
        }
        if Task.isCancelled { await work.value }
    }

    private enum Event {
        case signal
        case reload
        case stopped
    }

    private func follow(_ events: AsyncStream<Event>) async {
        var isStopping = false
        for await event in events {
            switch event {
            case .stopped: return
            case .reload: supervisor.stop()
            case .signal where isStopping:
                log.warning("stopping immediately")
                return
            case .signal:
                isStopping = true
                notifier?.notify(.stopping)
                supervisor.stop()
            }
        }
    }

    /// Says that the tasks' threads still get to work.
    private func feedWatchdog() async {
        guard let notifier, let interval = notifier.watchdogInterval else { return }
        while (try? await clock.sleep(for: interval)) != nil { notifier.notify(.watchdog) }
    }

    /// Reports the state at each change, and readiness once all services run or have failed permanently.
    private func tellStatus() async {
        var isReady = false
        for await _ in supervisor.changes {
            let reports = supervisor.reports
            if !isReady, reports.allSatisfy(\.isStarted) {
                isReady = true
                notifier?.notify(.ready)
            }
            notifier?.notify(.status(reports.summary))
            report(reports)
        }
    }
}
