"""Samples for records: speech by espeak-ng, or a melody; 16 kHz, 16 bits, mono."""

import array
import io
import math
import shutil
import subprocess
import wave

RATE = 16000


def speech(text, voice="en-us", speed=150):
    """Returns the samples of spoken text."""
    program = shutil.which("espeak-ng")
    if program is None:
        raise SystemExit("error: espeak-ng is not installed\n  hint: apt-get install espeak-ng")
    run = subprocess.run(
        [program, "-v", voice, "-s", str(speed), "--stdout", text], stdout=subprocess.PIPE, check=True)
    with wave.open(io.BytesIO(run.stdout)) as file:
        rate, channels, width = file.getframerate(), file.getnchannels(), file.getsampwidth()
        if (channels, width) != (1, 2):
            raise SystemExit("error: espeak-ng gave other samples than 16 bits, mono")
        samples = array.array("h", file.readframes(1 << 30))
    silence = [0] * (RATE // 4)
    return silence + resample(samples, rate) + silence


def resample(samples, rate):
    """Returns `samples` at 16 kHz; above 8 kHz speech has little that could fold back."""
    if rate == RATE:
        return list(samples)
    count = len(samples) * RATE // rate
    result = []
    for number in range(count):
        place = number * rate / RATE
        whole = int(place)
        part = place - whole
        last = samples[min(whole + 1, len(samples) - 1)]
        result.append(int(samples[whole] * (1 - part) + last * part))
    return result


def melody(seconds, seed):
    """Returns the samples of tones that differ with the seed."""
    result = []
    for number in range(int(seconds * RATE)):
        note = 220 * 2 ** (((number // 4000 * 7 + seed * 5) % 24) / 12)
        result.append(int(9000 * math.sin(2 * math.pi * note * number / RATE)))
    return result
