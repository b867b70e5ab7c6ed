package import Runtime

/// The metrics of recall.
package struct RecallMetrics: Sendable {
    /// The time to embed a sentence, waiting included.
    let embedding: Histogram
    /// Sentences by outcome.
    let embeddings: Counter
    /// Bytes of the loaded memories.
    let loadedBytes: Gauge
    /// Patients whose memories are loaded.
    let loadedPatients: Gauge
    /// The number of times that the durable cache was rebuilt.
    let rebuilds: Counter

    /// Registers the metrics; in a registry of their own by default.
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
