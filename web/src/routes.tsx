import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { matchRoutes, type RouteObject, useLocation, useRoutes } from 'react-router'
import { RequireSession } from './auth/RequireSession.tsx'
import { RequireVisitor } from './auth/RequireVisitor.tsx'
import { useSession } from './auth/session.ts'
import { NothingHere } from './shell/NothingHere.tsx'
import { RouteErrorBoundary } from './shell/RouteErrorBoundary.tsx'
import { ScreenLoading } from './ui/ScreenLoading.tsx'

let screens = 0

/** The table of contents of the app. Every screen is a chunk of its own. */
const routes: RouteObject[] = [
  {
    element: <RequireVisitor />,
    children: [
      { path: '/login', ...screen(async () => (await import('./auth/LoginScreen.tsx')).LoginScreen) },
      { path: '/signup', ...screen(async () => (await import('./auth/SignupScreen.tsx')).SignupScreen) },
      { path: '/invite/:code', ...screen(async () => (await import('./auth/InviteScreen.tsx')).InviteScreen) },
      {
        path: '/forgot-password',
        ...screen(async () => (await import('./auth/ForgotPasswordScreen.tsx')).ForgotPasswordScreen),
      },
      { path: '/server', ...screen(async () => (await import('./platform/ServerScreen.tsx')).ServerScreen) },
    ],
  },
  // Links out of mails: they work whoever is signed in here.
  { path: '/confirm', ...screen(async () => (await import('./auth/ConfirmScreen.tsx')).ConfirmScreen) },
  {
    path: '/reset-password',
    ...screen(async () => (await import('./auth/ResetPasswordScreen.tsx')).ResetPasswordScreen),
  },
  {
    path: '/',
    element: <RequireSession />,
    children: [
      {
        ...screen(async () => (await import('./shell/Shell.tsx')).Shell),
        children: [
          { index: true, ...screen(async () => (await import('./home/HomeScreen.tsx')).HomeScreen) },
          {
            path: 'chat',
            ...screen(async () => (await import('./chat/ChatScreen.tsx')).ChatScreen),
            children: [
              { index: true, ...screen(async () => (await import('./chat/NoConversation.tsx')).NoConversation) },
              {
                path: ':conversationId',
                ...screen(async () => (await import('./chat/ConversationScreen.tsx')).ConversationScreen),
              },
            ],
          },
          { path: 'friends', ...screen(async () => (await import('./friends/FriendsScreen.tsx')).FriendsScreen) },
          { path: 'admin', ...screen(async () => (await import('./admin/AdminScreen.tsx')).AdminScreen) },
          { path: 'profile', ...screen(async () => (await import('./profile/ProfileScreen.tsx')).ProfileScreen) },
        ],
      },
    ],
  },
  { path: '/pins/:pinId?', ...screen(async () => (await import('./pings/PingScreen.tsx')).PingScreen) },
  { path: '*', element: <NothingHere /> },
]

/** The screen of the address. The one before stays until the code of the next is there. */
export function Screens() {
  const { isAuthenticated } = useSession()
  const { pathname, key } = useLocation()
  void loadScreens(pathname, isAuthenticated)
  return (
    <RouteErrorBoundary place={key}>
      <Suspense fallback={<ScreenLoading />}>{useRoutes(routes)}</Suspense>
    </RouteErrorBoundary>
  )
}

/**
 * Asks for all the code of a screen at once: what lies within another would else be asked for when that is there. Resolves
 * when it can be drawn, or not be had.
 */
export async function loadScreens(pathname: string, isAuthenticated: boolean): Promise<void> {
  // Whoever has to sign in first does not wait for what comes after.
  const matches = matchRoutes(routes, pathname) ?? []
  const isShut = !isAuthenticated && matches.some(({ route }) => route.path === '/')
  const wanted = isShut ? (matchRoutes(routes, '/login') ?? []) : matches
  await Promise.allSettled(wanted.map(({ route }) => (route.handle as ScreenCode | undefined)?.load()))
}

interface ScreenCode {
  load: () => Promise<void>
  /** Once it is there: drawn without a moment of waiting. */
  loaded: ComponentType | null
  awaited: ComponentType
}

function screen(find: () => Promise<ComponentType>): { element: ReactNode; handle: ScreenCode } {
  const code: ScreenCode = {
    async load() {
      code.loaded ??= await find()
    },
    loaded: null,
    awaited: lazy(async () => ({ default: await find() })),
  }
  // Each its own, or one screen would take the place of another as if it were the same with other props.
  return { element: <Screen key={++screens} code={code} />, handle: code }
}

function Screen({ code }: { code: ScreenCode }) {
  const [Part] = useState(() => code.loaded ?? code.awaited)
  return <Part />
}
