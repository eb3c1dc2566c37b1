/// How long the engine of the file transfer waits. The defaults follow the firmware.
package struct FTSTimeouts: Hashable, Sendable {
    /// For the reply to a write or a subscription; pairing and a new encryption happen before it.
    package var reply: Duration
    /// For the next part of the list or of a description; the device itself takes up to 6 s a part.
    package var answer: Duration
    /// For the next part of a file.
    package var data: Duration
    /// For the report about the memory.
    package var storage: Duration
    /// Before the next request: the device drops what comes before it has finished the last one.
    package var pause: Duration
    /// For the device to disconnect.
    package var disconnect: Duration
    /// Before the next connection, so that the device is not met in its last seconds.
    package var holdOff: Duration

    package init(
        reply: Duration = .seconds(60), answer: Duration = .seconds(10), data: Duration = .seconds(5),
        storage: Duration = .seconds(5), pause: Duration = .milliseconds(100), disconnect: Duration = .seconds(5),
        holdOff: Duration = .seconds(10)
    ) {
        self.reply = reply
        self.answer = answer
        self.data = data
        self.storage = storage
        self.pause = pause
        self.disconnect = disconnect
        self.holdOff = holdOff
    }
}
