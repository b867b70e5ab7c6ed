/// A page of a list by its number.
package struct PageNumber: Sendable, Equatable {
    /// The page, from 1.
    package let page: Int
    /// The number of items of a page.
    package let size: Int

    package init(page: Int, size: Int) {
        self.page = page
        self.size = size
    }

    /// The number of items on the pages before.
    package var offset: Int { (page - 1) * size }
}
