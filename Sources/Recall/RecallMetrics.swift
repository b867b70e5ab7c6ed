package import Runtime

/// What recall counts.
package struct RecallMetrics: Sendable {
    /// How long embedding a sentence took, waiting included.
    let embedding: Histogram
    /// Sentences by what became of them.
    let embeddings: Counter
    /// Bytes of the patients' memories that are loaded.
    let loadedBytes: Gauge
    /// Patients whose memories are loaded.
    let loadedPatients: Gauge
    /// How often the durable cache was made anew.
    let rebuilds: Counter

    /// Registers the metrics; in a registry of its own unless given.
    package init(_ metrics: Metrics = Metrics()) {
        embedding = metrics.histogram("hearth_embedding_seconds", "How long embedding a sentence took.")
        embeddings = metrics.counter("hearth_embeddings_total", "Sentences by outcome.", labels: "outcome")
        loadedBytes = metrics.gauge("hearth_recall_loaded_bytes", "Bytes of memories that are loaded.")
        loadedPatients = metrics.gauge("hearth_recall_loaded_patients", "Patients whose memories are loaded.")
        rebuilds = metrics.counter(
            "hearth_recall_cache_rebuilds_total",
            "Times the memory cache was made anew."
        )
    }
}
