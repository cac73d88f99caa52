"""Small statistics."""


def median(numbers):
    """The middle of the numbers; of an even count, the mean of the two in the middle."""
    numbers.sort()
    middle = len(numbers) // 2
    return numbers[middle]
