/** Counts what is under way to each host, so that one slow seller does not take all there is. */
export interface HostCap {
  /** Takes a place and returns how to give it back, which may be said twice; null, and nothing taken, where all are taken. */
  enter(host: string): (() => void) | null;
}

/** At most `most` places at each host. A host with nothing under way takes no memory. */
export function hostCap(most: number): HostCap {
  const taken = new Map<string, number>();

  function giveBack(host: string): void {
    const left = (taken.get(host) ?? 0) - 1;
    if (left > 0) taken.set(host, left);
    else taken.delete(host);
  }

  return {
    enter(host) {
      const before = taken.get(host) ?? 0;
      if (before >= most) return null;
      taken.set(host, before + 1);
      let isHeld = true;
      return () => {
        if (isHeld) giveBack(host);
        isHeld = false;
      };
    },
  };
}
