"""From nvme-cli's numbers and texts to ours; None stands for "not reported"."""


def times(factor):
    """A counter in units of `factor`."""
    return lambda value: value * factor


def nonzero(value):
    """0 means "not reported"."""
    return value or None


def times_nonzero(factor):
    """Both."""
    return lambda value: value * factor or None


def celsius(kelvin):
    """0 and what no drive can have is not reported."""
    return kelvin - 273 if 200 <= kelvin <= 400 else None


def ratio(percent):
    """A percentage that may exceed 100."""
    return percent / 100


def ratio_to_one(percent):
    """A percentage of what a new drive has."""
    return percent / 100 if percent <= 100 else None


def bit(number):
    """One bit of a byte."""
    return lambda value: value >> number & 1


def watts(power):
    """Interval power: value 15:0, scale 17:16."""
    scale = {1: 10000, 2: 100}.get(power >> 16 & 3)
    return (power & 0xffff) / scale if scale else None


def whole(high, low):
    """A 128-bit number that nvme-cli prints in two halves."""
    return high << 64 | low


def unless_ones(size, convert=lambda value: value):
    """All bits 1 mean "not reported"."""
    return lambda value: None if value == (1 << 8 * size) - 1 else convert(value)


def text(number):
    """Characters that were read as a little-endian number."""
    return number.to_bytes(64, "little").rstrip(b"\0").decode().strip() or None


def hexadecimal(number):
    """A UUID in the order of its bytes."""
    return number.to_bytes(16, "little").hex() if number else None


def estimate(number):
    """Bytes; small figures are thousands of millions, which drives of both kinds report."""
    return (number * 10**9 if number < 10**12 else number) or None


def unsigned(value):
    """nvme-cli prints some 32-bit numbers as if they had a sign."""
    return value % 2**32


def stripped(value):
    """A text of fixed width."""
    return value.strip() or None


def guid(value):
    """nvme-cli prints a UUID, we print the bytes."""
    return value.replace("-", "") if value.strip("0-") else None


def part(divisor):
    """A time in fractions of a second."""
    return lambda value: value / divisor if value else None


def limit(kelvin):
    """What no drive can have is not reported."""
    return kelvin - 273 if 200 <= kelvin <= 500 else None


def celsius_unless_zero(kelvin):
    """0 is not reported."""
    return kelvin - 273 if kelvin else None


def max_power(value, flags):
    """The scale is bit 0 of the flags."""
    return value / (10000 if flags & 1 else 100) if value else None


def power(value, scale):
    """0, and scale 0: not reported."""
    return value / {1: 10000, 2: 100}[scale] if value and scale in (1, 2) else None


def bits(lowest, width):
    """Some bits of a number."""
    return lambda value: value >> lowest & (1 << width) - 1


def nonzero_bits(lowest, width):
    """0 is not reported."""
    return lambda value: bits(lowest, width)(value) or None


def unless(*absent, convert=lambda value: value):
    """Some values mean "not reported"."""
    return lambda value: None if value in absent else convert(value)


def where(condition, convert=lambda value: value):
    """A value that is there if the other arguments say so."""
    return lambda value, *others: convert(value) if condition(*others) else None


def percent(value):
    """A percentage of what is done."""
    return value / 100 if value <= 100 else None


def leading_number(value):
    """Of "(1) In words."."""
    return int(value.strip("(").split(")")[0])


def packed_text(value):
    """Of "number (text)", where the text has dots for what is not printed and the number is its eight bytes."""
    return int(value.split()[0]).to_bytes(8, "little").decode().strip() or None
