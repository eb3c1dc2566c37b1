/// Takes the progress line away before anything is written, for results that come while the work goes on.
struct ClearingSink: ByteSink {
    let sink: any ByteSink
    let progressLine: ProgressLine?

    func write(_ bytes: [UInt8]) throws(SinkError) {
        progressLine?.clear()
        try sink.write(bytes)
    }
}
