"""The shortest game that tells two rule books apart."""
