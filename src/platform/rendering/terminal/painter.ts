import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];
export type Painter = (style: Style, text: string) => string;

/** Paints with terminal sequences, or not at all. */
export const painter =
  (colours: boolean): Painter =>
  (style, text) =>
    colours ? styleText(style, text, { validateStream: false }) : text;
