import DictofunDomain
import Testing

struct DeviceRulesTests {
    @Test(arguments: [(0, true), (12, true), (24, false), (96, false), (100, false)])
    func `a battery is low at the last step before the end`(percent: Int, isLow: Bool) {
        #expect(BatteryLevel(percent: percent)?.isLow == isLow)
    }

    @Test(arguments: [-1, 101, 254])
    func `a charge above 100 percent is unknown`(percent: Int) { #expect(BatteryLevel(percent: percent) == nil) }

    @Test(arguments: [
        (16_764_928, 8192, 0, DeviceStorage.Condition.sufficient), (2_000_000, 14_773_120, 3, .sufficient),
        (1_600_000, 15_173_120, 3, .nearlyFull), (0, 16_773_120, 9, .full), (9_000_000, 7_773_120, 254, .sufficient),
        (9_000_000, 7_773_120, 255, .full), (0, 0, 0, .full),
    ])
    func `the memory is nearly full at 90 percent and full without space or names`(
        free: Int, occupied: Int, count: Int, condition: DeviceStorage.Condition
    ) {
        #expect(DeviceStorage(free: free, occupied: occupied, fileCount: count).condition == condition)
    }

    @Test func `the share in use follows from the bytes`() {
        #expect(DeviceStorage(free: 80_000, occupied: 20_000, fileCount: 1).fraction == 0.2)
        #expect(DeviceStorage(free: 0, occupied: 0, fileCount: 0).fraction == 0)
    }
}
