"""The checker: from syntax trees to checked rules, with every fault that a phase finds."""
