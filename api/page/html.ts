/** Markup that is safe to send: made by `html` only. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Puts a page together; strings are escaped for text and for quoted attributes, markup goes in as it is. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html | readonly Html[])[]): Html {
  const filled = values.map((value) => {
    if (typeof value === 'string') return value.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');
    return value instanceof Html ? value.text : value.map(({ text }) => text).join('');
  });
  return new Html(String.raw({ raw: parts }, ...filled));
}
