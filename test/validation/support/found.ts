// What tests read of validation.json.

export interface Section {
  readonly state: "told" | "too_few" | "not_asked" | "failed";
  readonly n?: number;
  readonly needed?: number;
}

export interface Circle {
  readonly verdict: "circle" | "no_circle";
  readonly cosineCorrelation: number;
  readonly orderCorrelation: number;
  readonly orderIsExact: boolean;
  readonly values: readonly { readonly name: string; readonly theory: number; readonly angle: number }[];
}

export interface Measure {
  readonly value: number;
  readonly measure: "ideal" | "current" | "gap";
  readonly statements: "all" | "forward";
  readonly alpha: number;
  readonly omega: number;
}

export interface Found {
  readonly counts: Readonly<Record<string, number>>;
  readonly circle: Section & { readonly ideal: Circle; readonly current: Circle };
  readonly reliability: Section & { readonly measures: readonly Measure[] };
  readonly items: Section & {
    readonly statements: readonly (StatementPlace & {
      readonly life: string;
      readonly flags: readonly string[];
    })[];
  };
  readonly efa: Section & {
    readonly groups: readonly {
      readonly life: string;
      readonly statements: readonly (StatementPlace & { readonly isOwn: boolean })[];
    }[];
  };
  readonly cfa: Section & {
    readonly correlations: readonly {
      readonly life: string;
      readonly pairs: readonly {
        readonly value: number;
        readonly other: number;
        readonly r: number;
        readonly isFlagged: boolean;
      }[];
    }[];
    readonly groups: readonly {
      readonly group: string;
      readonly life: string;
      readonly cfi: number;
      readonly isGood: boolean;
      readonly loadings: readonly { readonly column: string; readonly statement: number; readonly loading: number }[];
    }[];
  };
  readonly retest: Section & {
    readonly values: readonly { readonly value: number; readonly measure: string; readonly icc: number }[];
    readonly order: readonly {
      readonly life: string;
      readonly correlation: readonly number[];
      readonly firstPlaces: number;
      readonly firstPlacesByChance: number;
    }[];
  };
  readonly invarianceOfLives: Section & InvarianceFound;
  readonly invarianceOfLanguages: Section & InvarianceFound;
  readonly criteria: Section & {
    readonly criteria: readonly (Section & { readonly correlations: readonly Correlation[] })[];
  };
}

interface Correlation {
  readonly measure: string;
  readonly value: number | null;
  readonly low: number;
  readonly high: number;
  readonly pHolm: number;
}

/** As the instrument counts: from 1. */
interface StatementPlace {
  readonly value: number;
  readonly statement: number;
}

export interface InvarianceFound {
  readonly groups: readonly {
    readonly group: string;
    /** Of languages only. */
    readonly life?: string;
    readonly state: string;
    readonly steps: readonly { readonly step: string; readonly cfi: number; readonly isFlagged?: boolean }[];
  }[];
}

export function read(json: string): Found {
  return JSON.parse(json);
}
