"""Plain values that every other room uses: nodes and edges, findings, answers, names, errors."""
