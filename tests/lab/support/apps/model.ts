/** An operation on a connected app. */
export interface Command {
  readonly kind: (typeof kinds)[number];
  /** The number of the code, also of the login that it gives. */
  readonly which: number;
  /** The rotation of the token that is used. */
  readonly rotation: number;
  /** The time in ms since 1970. */
  readonly now: number;
}

export const kinds = [
  'allow',
  'exchange',
  'refresh',
  'repeat',
  'reuse',
  'use',
  'end',
  'revoke',
  'restore',
] as const;

/** A login that a code gave. */
interface Login {
  readonly rotation: number;
  readonly rotatedAt: number;
  /** The last rotation of which an access token was used. */
  readonly accepted: number;
}

interface Code {
  readonly at: number;
  readonly isUsed: boolean;
  /** Which of the times that the app was allowed anew it belongs to. */
  readonly of: number;
}

/** What a connected app of a user is expected to be. Logins have the numbers of their codes. */
export interface Model {
  /** How often it was allowed anew. */
  readonly allowed: number;
  readonly revokedAt: number | undefined;
  readonly codes: Readonly<Record<number, Code>>;
  readonly logins: Readonly<Record<number, Login>>;
}

export const nothing: Model = { allowed: 0, revokedAt: undefined, codes: {}, logins: {} };

const codeMs = 60_000;
const restoreMs = 60_000;
const replayMs = 10_000;

const withLogin = (model: Model, which: number, login: Login): Model => ({
  ...model,
  logins: { ...model.logins, [which]: login },
});

const withoutLogin = (model: Model, which: number): Model => {
  const { [which]: _, ...logins } = model.logins;
  return { ...model, logins };
};

const isActive = ({ allowed, revokedAt }: Model): boolean => allowed > 0 && revokedAt === undefined;

const allow = (model: Model, { which, now }: Command): Model => {
  const kept = isActive(model)
    ? model
    : { ...model, allowed: model.allowed + 1, revokedAt: undefined, logins: {} };
  return {
    ...kept,
    codes: { ...kept.codes, [which]: { at: now, isUsed: false, of: kept.allowed } },
  };
};

const exchange = (model: Model, { which, now }: Command): [Model, number] => {
  const code = model.codes[which];
  if (!code) return [model, 400];
  if (code.isUsed) return [withoutLogin(model, which), 400];
  if (!isActive(model) || code.of !== model.allowed || now >= code.at + codeMs) return [model, 400];
  const codes = { ...model.codes, [which]: { ...code, isUsed: true } };
  return [withLogin({ ...model, codes }, which, { rotation: 0, rotatedAt: now, accepted: 0 }), 200];
};

const refresh = (model: Model, { which, rotation, now }: Command): [Model, number] => {
  const login = model.logins[which];
  if (!login || !isActive(model)) return [model, 400];
  if (login.rotation === rotation) {
    return [withLogin(model, which, { ...login, rotation: rotation + 1, rotatedAt: now }), 200];
  }
  const isRecent = now - login.rotatedAt < replayMs;
  const isReplay =
    login.rotation === rotation + 1 && (isRecent || login.accepted !== login.rotation);
  return isReplay ? [model, 200] : [withoutLogin(model, which), 400];
};

/** Returns the expected app after a command, and the status of its response. */
export const step = (model: Model, command: Command): [Model, number] => {
  const { kind, which, rotation, now } = command;
  const login = model.logins[which];
  switch (kind) {
    case 'allow':
      return [allow(model, command), 200];
    case 'exchange':
      return exchange(model, command);
    case 'refresh':
    case 'repeat':
    case 'reuse':
      return refresh(model, command);
    case 'use':
      if (!login || !isActive(model)) return [model, 401];
      if (login.rotation !== rotation) return [model, 200];
      return [withLogin(model, which, { ...login, accepted: rotation }), 200];
    case 'end':
      return [withoutLogin(model, which), 200];
    case 'revoke':
      return isActive(model) ? [{ ...model, revokedAt: now }, 200] : [model, 404];
    case 'restore': {
      const { revokedAt } = model;
      const isLate = revokedAt === undefined || now >= revokedAt + restoreMs;
      return isLate ? [model, 404] : [{ ...model, revokedAt: undefined }, 200];
    }
  }
};

/** Returns the numbers of the logins whose tokens work. */
export const livingOf = (model: Model): number[] =>
  isActive(model) ? Object.keys(model.logins).map(Number) : [];
