"""The engine protocol, from both ends: engines that are talked to, and our interpreter as one of them."""
