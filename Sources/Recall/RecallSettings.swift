/// How much recall may take and what it looks for.
package struct RecallSettings: Sendable, Equatable {
    /// How many bytes the loaded patients' memories may take.
    package var loadedBytes: Int
    /// The least cosine of a memory that is recalled by meaning.
    ///
    /// Half of all unrelated pairs lie above 0, related ones around 0.3 to 0.6; the floor only keeps out what
    /// is plainly unrelated.
    package var floor: Float
    /// How much more recent memories count.
    package var recency: Recency
    /// How many memories found by exact words alone may take the place of the last ones found by meaning.
    package var exactMemories: Int
    /// After how long the record is asked for newer memories though none was announced.
    package var freshness: Duration
    /// How many memories are read at once.
    package var pageSize: Int
    /// How many memories one recall writes to the cache at most; storing writes them all.
    package var cachedPerRecall: Int
    /// Beyond how many memories a search runs on a worker thread.
    package var inlineRows: Int
    /// How many searches may wait for a worker thread.
    package var waitingSearches: Int
    /// How many sentences may wait to be embedded before those of replies are not taken any more: a patient's message never
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
