import DictofunDomain
import Testing

struct PlaybackTests {
    private var playback: Playback { Playback(length: .seconds(60), from: .seconds(10)) }

    @Test func `a pause stops where it is, and goes on there`() {
        var playback = playback
        #expect(playback.start() == [.play(from: .seconds(10), speed: 1), .show])
        _ = playback.handle(.elapsed(.seconds(3)))
        #expect(playback.handle(.key(.pause)) == [.stop, .show])
        #expect(playback.handle(.elapsed(.seconds(9))) == [])
        #expect(playback.handle(.key(.pause)) == [.play(from: .seconds(13), speed: 1), .show])
    }

    @Test func `arrows move by five seconds, within the record`() {
        var playback = playback
        #expect(playback.handle(.key(.back)) == [.play(from: .seconds(5), speed: 1), .show])
        _ = playback.handle(.key(.back))
        #expect(playback.handle(.key(.back)) == [.play(from: .zero, speed: 1), .show])
        for _ in 0..<11 { _ = playback.handle(.key(.forward)) }
        #expect(playback.position == .seconds(55))
        #expect(playback.handle(.key(.forward)) == [.stop, .show, .finish])
        #expect(playback.handle(.key(.back)) == [])
    }

    @Test func `the speed changes in steps, and time passes with it`() {
        var playback = playback
        #expect(playback.handle(.key(.faster)) == [.play(from: .seconds(10), speed: 1.25), .show])
        _ = playback.handle(.elapsed(.seconds(4)))
        #expect(playback.position == .seconds(15))
        _ = playback.handle(.key(.pause))
        #expect(playback.handle(.key(.slower)) == [.show])
        #expect(playback.speed == 1)
        for _ in 0..<20 { _ = playback.handle(.key(.slower)) }
        #expect(playback.speed == 0.5)
    }

    @Test func `it ends with the sound or at once`() {
        var playback = playback
        #expect(playback.handle(.ended) == [.show, .finish])
        #expect(playback.position == .seconds(60))
        var other = self.playback
        #expect(other.handle(.key(.quit)) == [.stop, .show, .finish])
    }
}
