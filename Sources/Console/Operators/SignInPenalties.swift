/// For how long nothing is looked at after so many attempts in a row that failed.
enum SignInPenalties {
    /// The fifth attempt in a row costs a minute, each further one more, up to an hour.
    static let afterAttempts: [Duration] = [0, 0, 0, 0, 60, 120, 300, 900, 3600].map { .seconds($0) }
}
