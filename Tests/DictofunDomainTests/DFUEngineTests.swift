import DictofunDomain
import Hashing
import TestSupport
import Testing

struct DFUEngineTests {
    private static func image(_ size: Int, seed: UInt64 = 5) -> FirmwarePackage.Image {
        var generator = SeededGenerator(seed: seed)
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) } }
        return FirmwarePackage.Image(target: .application, initPacket: bytes(141), firmware: bytes(size))
    }

    @Test(arguments: [1, 4095, 4096, 4097, 20_000], [20, 23, 128, 244])
    func `an image is installed byte for byte`(size: Int, packetSize: Int) {
        let image = DFUEngineTests.image(size)
        var bootloader = ScriptedBootloader(imageSize: size)
        #expect(bootloader.run(image, packetSize: packetSize).outcome == .done)
        #expect(bootloader.installed == image.firmware)
        #expect(bootloader.acceptedInitPacket == image.initPacket)
        #expect(bootloader.isDone)
    }

    @Test func `after a lost link the rest is sent, wherever it was lost`() {
        let image = DFUEngineTests.image(9000)
        for cut in 0..<90 {
            var bootloader = ScriptedBootloader(imageSize: 9000)
            bootloader.stepsBeforeCut = cut
            let first = bootloader.run(image)
            bootloader.stepsBeforeCut = nil
            if first.outcome == .done { continue }
            #expect(first.outcome == .failed(.disconnected))
            let second = bootloader.run(image)
            #expect(second.outcome == .done, "cut after \(cut) steps")
            #expect(bootloader.installed == image.firmware)
            #expect(first.packetCount + second.packetCount <= 40)
        }
    }

    @Test func `a part of another image is dropped`() {
        let (old, new) = (DFUEngineTests.image(9000, seed: 1), DFUEngineTests.image(9000, seed: 2))
        for cut in [20, 35, 60] {
            var bootloader = ScriptedBootloader(imageSize: 9000)
            bootloader.stepsBeforeCut = cut
            _ = bootloader.run(old)
            bootloader.stepsBeforeCut = nil
            #expect(bootloader.run(new).outcome == .done)
            #expect(bootloader.installed == new.firmware)
        }
        // The same init packet with other contents: only the checksum of the image tells.
        let third = FirmwarePackage.Image(target: .application, initPacket: old.initPacket, firmware: new.firmware)
        var bootloader = ScriptedBootloader(imageSize: 9000)
        bootloader.stepsBeforeCut = 40
        _ = bootloader.run(old)
        bootloader.stepsBeforeCut = nil
        #expect(bootloader.run(third).outcome == .done)
        #expect(bootloader.installed == new.firmware)
    }

    @Test func `lost packets are found by the checksum`() {
        let image = DFUEngineTests.image(40_000)
        var bootloader = ScriptedBootloader(imageSize: 40_000)
        bootloader.loss = 15
        let result = bootloader.run(image)
        #expect(result.outcome == .done)
        #expect(bootloader.installed == image.firmware)
        bootloader = ScriptedBootloader(imageSize: 40_000)
        bootloader.loss = 1000
        let hopeless = bootloader.run(image)
        #expect(hopeless.outcome == .failed(.checksumMismatch))
        #expect(hopeless.packetCount <= 3)
    }

    @Test func `a refusal is told with its reason`() {
        var engine = DFUEngine(image: DFUEngineTests.image(100), packetSize: 244)
        _ = engine.start()
        #expect(engine.handle(.subscribed).first == .write([2, 0, 0]))
        #expect(engine.handle(.notification([0x60, 1, 1])) == [])
        #expect(engine.handle(.notification([0x60, 2, 1])).first == .write([6, 1]))
        let refusal = DFURefusal(result: 0x0B, extended: 5)
        #expect(engine.handle(.notification([0x60, 6, 0x0B, 5])) == [.finish(.failed(.refused(refusal)))])
        #expect(refusal.reason == "firmware version too low")
        #expect(engine.handle(.subscribed) == [])
    }

    @Test func `an answer that fails ends the transfer`() {
        func run(_ event: DFUEngine.Event) -> [DFUEngine.Action] {
            var engine = DFUEngine(image: DFUEngineTests.image(100), packetSize: 244)
            _ = engine.start()
            _ = engine.handle(.subscribed)
            _ = engine.handle(.notification([0x60, 2, 1]))
            return engine.handle(event)
        }
        #expect(run(.timeout(3)) == [.finish(.failed(.timeout))])
        #expect(run(.timeout(2)) == [])
        #expect(run(.cancelled) == [.finish(.failed(.cancelled))])
        #expect(run(.failed("ATT error: 0x0e")) == [.finish(.failed(.link("ATT error: 0x0e")))])
        #expect(run(.notification([0x60, 6, 1])) == [.finish(.failed(.malformed))])
        #expect(run(.notification([0x60, 6, 1] + [UInt8](repeating: 0, count: 12))) == [.finish(.failed(.malformed))])
        let small: [UInt8] = [0x60, 6, 1, 100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        #expect(run(.notification(small)) == [.finish(.failed(.initPacketTooLarge(limit: 100)))])
    }

    @Test func `any notifications end without harm`() {
        for seed in 0..<500 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var engine = DFUEngine(image: DFUEngineTests.image(5000), packetSize: 244)
            var actionCount = engine.start().count
            actionCount += engine.handle(.subscribed).count
            for _ in 0..<200 {
                var bytes = (0..<Int.random(in: 0...16, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator) & (Bool.random(using: &generator) ? 0xFF : 7)
                }
                if bytes.count > 2 {
                    bytes[0] = 0x60
                    bytes[2] = Int.random(in: 0..<50, using: &generator) == 0 ? 8 : 1
                }
                actionCount += engine.handle(.notification(bytes)).count
            }
            #expect(actionCount < 10_000)
        }
    }

    @Test func `the work is linear in the image`() {
        Scaling.expectLinear("an image", size: 50_000) {
            DFUEngineTests.image($0)
        } _: { image in
            var engine = DFUEngine(image: image, packetSize: 244)
            _ = engine.start()
            _ = engine.handle(.subscribed)
            var (checksum, count, limit) = (CRC32(), 0, 4096)
            var actions = engine.handle(.notification([0x60, 2, 1]))
            while true {
                var request: [UInt8] = []
                for action in actions {
                    if case .write(let bytes) = action { request = bytes }
                    if case .writePacket(let bytes) = action {
                        checksum.add(bytes)
                        count += bytes.count
                    }
                    if case .finish(let outcome) = action {
                        #expect(outcome == .done)
                        return
                    }
                }
                func numbers(_ values: [Int]) -> [UInt8] {
                    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
                }
                if request.first == 6 { (checksum, count, limit) = (CRC32(), 0, 4096) }
                let rest = request.first == 6 ? [limit, 0, 0] : request.first == 3 ? [count, Int(checksum.value)] : []
                actions = engine.handle(.notification([0x60, request[0], 1] + numbers(rest)))
            }
        }
    }

    @Test func `the application starts its bootloader when it agrees`() {
        /// The outcome after events that follow the subscription.
        func outcome(_ events: DFUEngine.Event...) -> DFUEngine.Outcome? {
            var entry = BootloaderEntry()
            #expect(entry.start().first == .subscribe)
            #expect(entry.handle(.subscribed).first == .write([1]))
            let actions = events.flatMap { entry.handle($0) }
            if case .finish(let outcome)? = actions.last { return outcome }
            return nil
        }
        let (agrees, refuses): ([UInt8], [UInt8]) = ([0x20, 1, 1], [0x20, 1, 4])
        #expect(outcome(.notification(agrees)) == nil)
        #expect(outcome(.notification(agrees), .disconnected) == .done)
        #expect(outcome(.notification(agrees), .failed("lost")) == .done)
        #expect(outcome(.notification(agrees), .timeout(2)) == nil)
        #expect(outcome(.notification(agrees), .timeout(3)) == .done)
        #expect(outcome(.disconnected) == .done)
        #expect(outcome(.notification(refuses)) == .failed(.entryRefused))
        #expect(outcome(.notification([1, 2])) == nil)
        #expect(outcome(.timeout(2)) == .failed(.timeout))
        #expect(outcome(.failed("ATT error: 0x0e")) == .failed(.link("ATT error: 0x0e")))
        #expect(outcome(.cancelled) == .failed(.cancelled))
        var early = BootloaderEntry()
        _ = early.start()
        #expect(early.handle(.disconnected) == [.finish(.failed(.disconnected))])
        #expect(early.handle(.subscribed) == [])
    }

    @Test func `the way into the bootloader is known`() {
        #expect(DFUButtonless.isAccepted([0x20, 1, 1]) == true)
        #expect(DFUButtonless.isAccepted([0x20, 1, 4]) == false)
        #expect(DFUButtonless.isAccepted([0x20]) == nil)
        #expect(DFUButtonless.bootloaderAddress(of: "C0:DE:00:00:00:0F") == "C0:DE:00:00:00:10")
        #expect(DFUButtonless.bootloaderAddress(of: "C0:DE:00:00:00:FF") == "C0:DE:00:00:00:00")
        #expect(DFUButtonless.bootloaderAddress(of: "C0:DE:00:00:00") == nil)
        #expect(DFUButtonless.bootloaderAddress(of: "x0:DE:00:00:00:01") == nil)
    }
}
