/// Lockout times after consecutive failed sign-in attempts.
enum SignInPenalties {
    /// The fifth consecutive failure costs a minute; each further one costs more, up to an hour.
    static let afterAttempts: [Duration] = [0, 0, 0, 0, 60, 120, 300, 900, 3600].map { .seconds($0) }
}
