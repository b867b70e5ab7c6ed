/// How the head is trained; written beside the weights, so that the same command gives the same weights.
package struct HeadSettings: Sendable, Equatable, Codable {
    /// Decides which groups are left out together.
    package var seed: UInt64 = 1
    /// The weight of large weights in the loss.
    package var regularisation: Float = 3e-4
    /// How many steps the fit takes.
    package var steps = 400
    /// How many of the nearest exemplars of danger, and of ordinary talk, are compared.
    package var neighbours = 8
    /// How much the nearest exemplars count beside the classifier.
    package var neighbourWeight: Float = 40
    /// In how many parts the groups are divided when training measures itself.
    package var folds = 8
    /// How often they are divided anew, so that no one division decides the thresholds.
    package var divisions = 3
    /// The share of ordinary exemplars, in groups left out, that may be taken for danger.
    package var falseAlarmRate = 0.02
    /// The same for a finding that may be high.
    package var sureFalseAlarmRate = 0.005

    /// Makes the settings that the shipped head was trained with.
    package init() {}

    /// The settings of the head that hears replies: a harmless sentence that it keeps back costs a line of ours, so that it
    /// may err more often.
    package static var ofReplies: HeadSettings {
        var settings = HeadSettings()
        settings.falseAlarmRate = 0.04
        return settings
    }
}
