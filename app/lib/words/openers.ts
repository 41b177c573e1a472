type Known = { firstName: string; interests?: string[]; city?: string; bio?: string }

/** Three first lines for a match, from what the viewer may see of the profile alone. */
export function openersFor(other: Known, mine: readonly string[]): [string, string, string] {
  const shared = other.interests?.filter((interest) => mine.includes(interest)) ?? []
  const theirs = other.interests?.filter((interest) => !mine.includes(interest)) ?? []
  const lines = [
    ...shared.map((interest) => `We both picked ${interest}. How did you get into it?`),
    ...theirs.map((interest) => `You like ${interest}. What would you show a beginner first?`),
    ...(other.city ? [`What is the best corner of ${other.city} that nobody knows?`] : []),
    `Hi ${other.firstName}, what was the best part of your week?`,
    'Window seat or aisle?',
    'What would you cook for someone you like?',
  ]
  return [lines[0]!, lines[1]!, lines[2]!]
}
