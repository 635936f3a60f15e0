import { escapeHtml } from '../../../lib/text.ts';
import { visibleText } from '../../../lib/visible-text.ts';

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One SVG element; attribute values are escaped, children are markup. No style attributes: a strict page refuses them. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const list = Object.entries(attributes)
    .flatMap(([key, value]) =>
      value === undefined ? [] : ` ${key}="${typeof value === 'number' ? rounded(value) : escapeHtml(visibleText(value))}"`,
    )
    .join('');
  return children.length > 0 ? `<${name}${list}>${children.join('')}</${name}>` : `<${name}${list}/>`;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

export type TextStyle = { fill: string; size?: number; weight?: number; anchor?: 'start' | 'middle' | 'end' };

/** One line of text whose baseline begins at a point. */
export const label = (x: number, y: number, text: string, { fill, size = 12, weight, anchor }: TextStyle): string =>
  element('text', { x, y, fill, 'font-size': size, 'font-weight': weight, 'text-anchor': anchor }, escapeHtml(visibleText(text)));

const FONTS = "Inter, system-ui, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif";

/** A picture with what it shows as its name. @param about null where the text beside it says the same */
export function picture(size: { width: number; height: number }, about: string | null, ...children: string[]): string {
  const named = about === null ? { 'aria-hidden': 'true', focusable: 'false' } : { role: 'img', 'aria-label': about };
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${size.width} ${size.height}`,
      width: size.width,
      height: size.height,
      'font-family': FONTS,
      ...named,
    },
    ...children,
  );
}
