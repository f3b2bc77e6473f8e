import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { matchRoutes, type RouteObject, useLocation, useRoutes } from 'react-router'
import type { TextGroup } from './i18n/texts.ts'
import { RequireSession } from './session/RequireSession.tsx'
import { RequireVisitor } from './session/RequireVisitor.tsx'
import { useSession } from './session/session.ts'
import { KeepHome } from './shell/KeepHome.tsx'
import { NotFoundPage } from './shell/NotFoundPage.tsx'
import { PageWithTripBar } from './shell/PageWithTripBar.tsx'
import { RouteErrorBoundary } from './shell/RouteErrorBoundary.tsx'
import { loadModule } from './ui/load-module.ts'
import { ScreenLoading } from './ui/ScreenLoading.tsx'

let screens = 0

const home = screen(async () => (await import('./home/HomeScreen.tsx')).HomeScreen, 'home')

/** The routes of the app. Every screen is a chunk of its own. */
const routes: RouteObject[] = [
  {
    element: <RequireVisitor />,
    children: [
      { path: '/login', ...screen(async () => (await import('./auth/LoginScreen.tsx')).LoginScreen, 'visitor') },
      { path: '/signup', ...screen(async () => (await import('./auth/SignupScreen.tsx')).SignupScreen) },
      { path: '/invite/:code?', ...screen(async () => (await import('./auth/InviteScreen.tsx')).InviteScreen) },
      {
        path: '/forgot-password',
        ...screen(async () => (await import('./auth/ForgotPasswordScreen.tsx')).ForgotPasswordScreen),
      },
      { path: '/server', ...screen(async () => (await import('./auth/ServerScreen.tsx')).ServerScreen) },
    ],
  },
  // The way back from a provider, also for a signed-in user who links it to the account.
  {
    path: '/signed-in',
    ...screen(async () => (await import('./auth/provider/SignedInScreen.tsx')).SignedInScreen),
  },
  // Links in emails. They work for any user who is signed in here, and without a session.
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
        ...screen(async () => (await import('./shell/Shell.tsx')).Shell, 'home'),
        children: [
          {
            element: <KeepHome home={home.element} />,
            children: [
              { index: true, element: null, handle: home.handle },
              {
                path: 'chat',
                ...screen(async () => (await import('./chat/conversations/ChatScreen.tsx')).ChatScreen),
                children: [
                  {
                    index: true,
                    ...screen(async () => (await import('./chat/conversations/NoConversation.tsx')).NoConversation),
                  },
                  {
                    path: 'archived',
                    ...screen(async () => (await import('./chat/conversations/NoConversation.tsx')).NoConversation),
                  },
                  {
                    path: ':conversationId',
                    ...screen(async () => (await import('./shell/ConversationRoute.tsx')).ConversationRoute),
                  },
                ],
              },
              { path: 'friends', ...screen(async () => (await import('./shell/FriendsRoute.tsx')).FriendsRoute) },
              {
                path: 'friends/links',
                ...screen(async () => (await import('./friend-links/FriendLinksScreen.tsx')).FriendLinksScreen),
              },
              {
                path: 'friends/circles',
                ...screen(async () => (await import('./circles/CirclesScreen.tsx')).CirclesScreen),
              },
              { path: 'admin', ...screen(async () => (await import('./shell/AdminRoute.tsx')).AdminRoute) },
              { path: 'profile', ...screen(async () => (await import('./profile/ProfileScreen.tsx')).ProfileScreen) },
              {
                path: 'profile/stored',
                ...screen(async () => (await import('./profile/stored/StoredScreen.tsx')).StoredScreen),
              },
            ],
          },
        ],
      },
    ],
  },
  {
    element: <PageWithTripBar />,
    children: [
      { path: '/pins/:pinId?', ...screen(async () => (await import('./pings/screen/PingScreen.tsx')).PingScreen) },
      { path: '/add', ...screen(async () => (await import('./friend-links/AddScreen.tsx')).AddScreen) },
    ],
  },
  { path: '*', element: <NotFoundPage /> },
]

/** Renders the screen of the current address. The previous screen stays until the code of the next one has loaded. */
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
 * Loads the code of all nested routes of a path in parallel. Without this, a nested route would be requested only after
 * its parent has loaded. Resolves when the screen can be rendered or its code cannot be loaded.
 */
export async function loadScreens(pathname: string, isAuthenticated: boolean): Promise<void> {
  // A visitor who must sign in first does not wait for the code behind the sign-in.
  const matches = matchRoutes(routes, pathname) ?? []
  const isShut = !isAuthenticated && matches.some(({ route }) => route.path === '/')
  const wanted = isShut ? (matchRoutes(routes, '/login') ?? []) : matches
  await Promise.allSettled(wanted.map(({ route }) => (route.handle as ScreenCode | undefined)?.load()))
}

interface ScreenCode {
  load: () => Promise<void>
  /** Set once the code has loaded, so that the screen renders without a loading state. */
  loaded: ComponentType | null
  awaited: ComponentType
}

function screen(find: () => Promise<ComponentType>, texts?: TextGroup): { element: ReactNode; handle: ScreenCode } {
  const code: ScreenCode = {
    async load() {
      code.loaded ??= await loadModule(find, texts)
    },
    loaded: null,
    awaited: lazy(async () => ({ default: await loadModule(find, texts) })),
  }
  // Each screen has its own key. Otherwise React would treat another screen as the same one with other props.
  return { element: <Screen key={++screens} code={code} />, handle: code }
}

function Screen({ code }: { code: ScreenCode }) {
  const [Part] = useState(() => code.loaded ?? code.awaited)
  return <Part />
}
