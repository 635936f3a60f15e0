// What is used of pdfmake. Its published types pull in those of the browser, for the whole program.
declare module 'pdfmake' {
  export type Margins = [number, number, number, number];

  export type TextStyle = {
    font?: string;
    fontSize?: number;
    bold?: boolean;
    italics?: boolean;
    color?: string;
    lineHeight?: number;
    alignment?: 'left' | 'center' | 'right';
    margin?: Margins;
    style?: string;
  };

  export type TextRun = TextStyle & { text: string; link?: string; linkToDestination?: string };

  export type Content = TextStyle & {
    text?: string | readonly TextRun[];
    stack?: readonly Content[];
    columns?: readonly Content[];
    ul?: readonly Content[];
    ol?: readonly Content[];
    markerColor?: string;
    canvas?: readonly { type: 'rect'; x: number; y: number; w: number; h: number; color: string }[];
    svg?: string;
    options?: { imageCallback(link: string): string; warningCallback(warning: string): void };
    fit?: [number, number];
    width?: number | '*' | 'auto';
    table?: {
      headerRows?: number;
      keepWithHeaderRows?: number;
      dontBreakRows?: boolean;
      widths: readonly (number | '*' | 'auto')[];
      body: readonly (readonly Content[])[];
    };
    layout?: 'noBorders' | TableLayout;
    toc?: { title: Content; textMargin?: Margins; numberStyle?: TextStyle };
    tocItem?: boolean;
    outline?: boolean;
    id?: string;
    headlineLevel?: number;
    pageBreak?: 'before' | 'after';
    unbreakable?: boolean;
    noWrap?: boolean;
  };

  export type TableLayout = {
    hLineWidth(line: number, node: { table: { body: unknown[] } }): number;
    vLineWidth(): number;
    hLineColor(): string;
    paddingLeft(column: number): number;
    paddingRight(): number;
    paddingTop(): number;
    paddingBottom(): number;
  };

  export type DocumentDefinition = {
    info: Record<string, string | Date>;
    language: string;
    displayTitle: boolean;
    version: '1.7';
    pageSize: string;
    pageMargins: Margins;
    defaultStyle: TextStyle;
    styles: Record<string, TextStyle>;
    content: readonly Content[];
    footer(page: number, pages: number): Content | string;
    pageBreakBefore(node: { headlineLevel?: number; startPosition?: { verticalRatio: number } }): boolean;
  };

  type Face = Record<'normal' | 'bold' | 'italics' | 'bolditalics', string>;

  const pdfmake: {
    setFonts(fonts: Record<string, Face>): void;
    setLocalAccessPolicy(allows: (path: string) => boolean): void;
    setUrlAccessPolicy(allows: (url: string) => boolean): void;
    createPdf(definition: DocumentDefinition): { getBuffer(): Promise<Uint8Array> };
  };
  export default pdfmake;
}
