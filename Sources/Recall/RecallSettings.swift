/// The limits and thresholds of recall.
package struct RecallSettings: Sendable, Equatable {
    /// The greatest size in bytes of the loaded memories.
    package var loadedBytes: Int
    /// The least cosine of a memory that is recalled by meaning.
    ///
    /// Half of all unrelated pairs lie above 0, related ones around 0.3 to 0.6; the floor only excludes plainly
    /// unrelated memories.
    package var floor: Float
    /// The extra weight of recent memories.
    package var recency: Recency
    /// The number of memories found only by exact words that may replace the last ones found by meaning.
    package var exactMemories: Int
    /// The time after which the record is asked for newer memories although none was announced.
    package var freshness: Duration
    /// The number of memories in one read.
    package var pageSize: Int
    /// The number of memories that one recall may write to the cache; storing writes them all.
    package var cachedPerRecall: Int
    /// The number of memories above which a search runs on a worker thread.
    package var inlineRows: Int
    /// The number of searches that may wait for a worker thread.
    package var waitingSearches: Int
    /// The number of waiting sentences above which replies are no longer embedded, so that a patient's message never
    /// waits behind many of them.
    package var waitingReplies: Int

    /// Makes settings; the defaults are the service's.
    package init(
        loadedBytes: Int = 256 << 20,
        floor: Float = 0.1,
        recency: Recency = Recency(),
        exactMemories: Int = 2,
        freshness: Duration = .seconds(60),
        pageSize: Int = 1_000,
        cachedPerRecall: Int = 256,
        inlineRows: Int = 10_000,
        waitingSearches: Int = 64,
        waitingReplies: Int = 4
    ) {
        self.loadedBytes = loadedBytes
        self.floor = floor
        self.recency = recency
        self.exactMemories = exactMemories
        self.freshness = freshness
        self.pageSize = pageSize
        self.cachedPerRecall = cachedPerRecall
        self.inlineRows = inlineRows
        self.waitingSearches = waitingSearches
        self.waitingReplies = waitingReplies
    }
}
