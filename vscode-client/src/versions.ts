// Versions of Python packages, compared by their release numbers alone.

/** Whether `version` comes before `least`. What follows the release numbers (`rc1`, `.dev0`, `+local`) does not count. */
export function isOlder(version: string, least: string): boolean {
  const have = release(version);
  const want = release(least);
  for (let place = 0; place < Math.max(have.length, want.length); place += 1) {
    const difference = (have[place] ?? 0) - (want[place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function release(version: string): number[] {
  const numbers = /^v?(?:\d+!)?(\d+(?:\.\d+)*)/.exec(version.trim())?.[1] ?? '';
  return numbers.split('.').map(Number);
}
