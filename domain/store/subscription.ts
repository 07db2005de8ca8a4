/** Who wants to hear of what: functions by topic, each called with what is told. A topic without any takes no memory. */
export class Subscriptions<Told extends readonly unknown[]> {
  readonly #byTopic = new Map<string, Set<(...told: Told) => void>>();

  /** Answers the function that ends the subscription. The same function twice is two subscriptions. */
  add(topic: string, hear: (...told: Told) => void): () => void {
    const own = (...told: Told) => hear(...told);
    const known = this.#byTopic.get(topic);
    if (known === undefined) this.#byTopic.set(topic, new Set([own]));
    else known.add(own);
    return () => {
      const all = this.#byTopic.get(topic);
      all?.delete(own);
      if (all?.size === 0) this.#byTopic.delete(topic);
    };
  }

  get isEmpty(): boolean {
    return this.#byTopic.size === 0;
  }

  tell(topic: string, ...told: Told): void {
    for (const hear of this.#byTopic.get(topic) ?? []) hear(...told);
  }

  tellAll(...told: Told): void {
    for (const all of this.#byTopic.values()) for (const hear of all) hear(...told);
  }
}
