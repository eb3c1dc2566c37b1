"""IMA ADPCM as the recorder packs it: one stream, mono, 4 bits a sample, high nibble first; and the frames of a record."""

STEPS = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97, 107, 118,
    130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796, 876, 963, 1060,
    1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132,
    7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
]
CHANGES = [-1, -1, -1, -1, 2, 4, 6, 8]
FRAME_SAMPLES = 128
DESCRIPTOR = b"adpcm;16000;2\0"


class Encoder:
    """The state goes on from one record to the next, as on the device: it is set to zero only by a new power-up."""

    def __init__(self):
        self.predictor = 0
        self.index = 0

    def encode(self, samples):
        """Returns the bytes of `samples`; an odd last one is padded with the nibble 0."""
        packed = bytearray()
        high = None
        for sample in samples:
            nibble = self._nibble(sample)
            if high is None:
                high = nibble << 4
            else:
                packed.append(high | nibble)
                high = None
        if high is not None:
            packed.append(high)
        return bytes(packed)

    def _nibble(self, sample):
        step = STEPS[self.index]
        left = sample - self.predictor
        nibble = 0
        if left < 0:
            nibble, left = 8, -left
        change = step >> 3
        for bit, part in ((4, step), (2, step >> 1), (1, step >> 2)):
            if left >= part:
                nibble |= bit
                left -= part
                change += part
        moved = self.predictor - change if nibble & 8 else self.predictor + change
        self.predictor = max(-32768, min(32767, moved))
        self.index = max(0, min(88, self.index + CHANGES[nibble & 7]))
        return nibble

    def record(self, samples):
        """Returns the file of a record: whole frames, the descriptor written over the first bytes."""
        samples = samples[: len(samples) // FRAME_SAMPLES * FRAME_SAMPLES]
        data = self.encode(samples)
        return DESCRIPTOR + data[len(DESCRIPTOR) :] if data else b""
